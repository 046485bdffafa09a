/** The schemas of the files that the page reads. */
export const SCHEMAS = [
  "index",
  "month",
  "series",
  "published-run",
  "published-comparison",
  "compared",
];
