/* Generated from bench/schema by `npm run types`. Do not edit. */

/**
 * The whole file, by id.
 */
export interface ComparedFile {
  schema: 1;
  comparisons: ComparedRow[];
}
/**
 * A comparison by its commits; `data/comparisons/<id>.json.gz` has the rest.
 */
export interface ComparedRow {
  id: string;
  base: string;
  head: string;
}
