/**
 * What the page reads, and nothing else: `data/index.json`, and for each stretch of a drawn series
 * `data/series/<class>/<chunk>/chunk.json` and `…/<case>@<conditions>.json`; for one run
 * `data/runs/<run>.json.gz`, for two commits `data/evidence.json.gz` or `data/comparisons/<id>.json.gz`
 * (published.ts). The types come from bench/schema.
 * Unknown fields are ignored; another schema version is refused with a message.
 */

import type { Chunk } from "../generated/chunk";
import type { CaseRow, ClassRow, Event, Index, MetricRow, Witness } from "../generated/index";
import type { Series } from "../generated/series";

export type { CaseRow, Chunk, ClassRow, Event, Index, MetricRow, Series, Witness };

export const SCHEMA_VERSION = 2;
export const INDEX_PATH = "index.json";

/** The files of one series over one chunk: a case, measured in one way. Throws a RangeError on a name that is no file's name. */
export function chunkPaths(
  hostClass: string,
  chunk: string,
  caseId: string,
  conditions: string,
): { readonly chunk: string; readonly series: string } {
  const name = fileName(`${caseId.replaceAll("/", "~")}@${conditions}`);
  return {
    chunk: chunkFile(hostClass, chunk),
    series: `${chunkFolder(hostClass, chunk)}/${name}.json`,
  };
}

/** The file that says which runs a chunk has. Throws a RangeError on a name that is no file's name. */
export function chunkFile(hostClass: string, chunk: string): string {
  return `${chunkFolder(hostClass, chunk)}/chunk.json`;
}

function chunkFolder(hostClass: string, chunk: string): string {
  return `series/${fileName(hostClass)}/${fileName(chunk)}`;
}

// what leads out of the folder, or into an address's query, is no name
const NAME = /^[A-Za-z0-9_][A-Za-z0-9._~@-]*$/;

/** The name itself. Throws a RangeError where it is no file's name. */
export function fileName(name: string): string {
  if (!NAME.test(name)) throw new RangeError(`'${name}' in data/index.json is no file's name`);
  return name;
}
