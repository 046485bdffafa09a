/** The schemas of the files that the page reads. */
export const SCHEMAS = [
  "index",
  "chunk",
  "series",
  "published-run",
  "published-comparison",
  "compared",
];
