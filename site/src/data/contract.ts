/**
 * What the page reads, and nothing else: `data/index.json`, and for each month of a drawn series
 * `data/series/<class>/<month>/month.json` and `…/<case>@<configuration>.<digest>.json`; for one
 * run `data/runs/<run>.json.gz`, for two commits `data/evidence.json.gz` or `data/comparisons/<id>.json.gz`
 * (published.ts). The types come from bench/schema.
 * Unknown fields are ignored; another schema version is refused with a message.
 */

import type {
  AffectedSeries,
  CaseRow,
  ClassRow,
  Event,
  EventChange,
  Index,
  MetricRow,
} from "../generated/index";
import type { Month } from "../generated/month";
import type { Series } from "../generated/series";

export type {
  AffectedSeries,
  CaseRow,
  ClassRow,
  Event,
  EventChange,
  Index,
  MetricRow,
  Month,
  Series,
};

export const SCHEMA_VERSION = 2;
export const INDEX_PATH = "index.json";

/** The files of one series over one month: a case, measured in one way. Throws a RangeError on a name that is no file's name. */
export function monthPaths(
  hostClass: string,
  month: string,
  caseId: string,
  configuration: string,
): { readonly month: string; readonly series: string } {
  const name = `${caseId}@${configuration}`;
  const file = fileName(`${name.replaceAll("/", "~")}.${digest(name)}.json`);
  return {
    month: monthFile(hostClass, month),
    series: `${monthFolder(hostClass, month)}/${file}`,
  };
}

/** FNV-1a of a series' name: it ends the name of its file, see bench/springbench/history/files.py. */
function digest(name: string): string {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(name)) hash = Math.imul(hash ^ byte, 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, "0");
}

/** The file that says which runs a month has. Throws a RangeError on a name that is no file's name. */
export function monthFile(hostClass: string, month: string): string {
  return `${monthFolder(hostClass, month)}/month.json`;
}

function monthFolder(hostClass: string, month: string): string {
  return `series/${fileName(hostClass)}/${fileName(month)}`;
}

// what leads out of the folder, or into an address's query, is no name
const NAME = /^[A-Za-z0-9_][A-Za-z0-9._~@-]*$/;

/** The name itself. Throws a RangeError where it is no file's name. */
export function fileName(name: string): string {
  if (!NAME.test(name)) throw new RangeError(`'${name}' in data/index.json is no file's name`);
  return name;
}
