/** What an address asks of the trends, as far as it is understood. Pure. */

import { AXES, type Axis, fits } from "../../data/case_filter";
import type { CaseRow, ClassRow, Index } from "../../data/contract";
import { isRanked, type LatestRow, latestRows } from "../../data/latest";
import { casesOf, settleSeries } from "../../data/settle";

export interface Wish {
  readonly metric: string;
  readonly log: boolean;
  readonly zero: boolean;
  /** Null for values as they are, `first`, or the series that the others are divided by. */
  readonly relative: string | null;
  /** An axis with a chart of its own for each of its values. */
  readonly by: Axis | null;
  /** Moments between which runs are seen; null for no edge. */
  readonly from: number | null;
  readonly to: number | null;
  /** How many of the newest runs are wanted. */
  readonly runs: number;
}

/** A first look has so many runs. */
export const RUNS = 300;

/** `metrics` are those that there is something to draw of. */
export function readWish(
  metrics: readonly Index["metrics"][number][],
  query: URLSearchParams,
): Wish {
  const metric = query.get("metric");
  const known = metrics.some(({ name }) => name === metric);
  const runs = Number(query.get("runs"));
  return {
    metric: known && metric ? metric : (metrics[0]?.name ?? ""),
    log: query.get("scale") === "log",
    zero: query.get("zero") === "1",
    relative: query.get("relative") || null,
    by: AXES.find((axis) => axis === query.get("by")) ?? null,
    from: moment(query.get("from")),
    to: moment(query.get("to")),
    runs: runs > 0 ? runs : RUNS,
  };
}

function moment(text: string | null): number | null {
  const at = Date.parse(text ?? "");
  return Number.isNaN(at) ? null : at;
}

/** A series by the name that an address has for it. */
export function nameOf(series: { readonly case: string; readonly configuration: string }): string {
  return `${series.case}@${series.configuration}`;
}

export interface Chosen {
  readonly cases: readonly CaseRow[];
  /** Names that the data do not have. */
  readonly unknown: readonly string[];
  /** Whether the address names any. */
  readonly named: boolean;
}

/** The series that an address names, each once; without one, those that a newcomer asks for. */
export function chosenSeries(index: Index, row: ClassRow, query: URLSearchParams): Chosen {
  const names = [...new Set(query.getAll("s").filter(Boolean))];
  const found = names.map((name) => settleSeries(index, row, name));
  const cases = [...new Set(found.flatMap((caseRow) => caseRow ?? []))];
  const unknown = names.filter((_, at) => found[at] === null);
  if (cases.length > 0) return { cases, unknown, named: true };
  return { cases: usualSeries(index, row, query), unknown, named: false };
}

const MOST_USUAL = 4;

/** Of what the filters leave, one case of the newest run and others under the same load. */
export function usualSeries(
  index: Index,
  row: ClassRow,
  query: URLSearchParams,
): readonly CaseRow[] {
  const rows = latestRows(index, row).filter(({ case: caseRow }) => fits(caseRow, query, ""));
  const newest = rows
    .map(({ startedAt }) => startedAt)
    .toSorted()
    .at(-1);
  const last = rows.filter(({ startedAt }) => startedAt === newest);
  const first = last.find(isUsual) ?? last.find(isRanked) ?? last[0];
  if (first === undefined)
    return casesOf(index, row)
      .filter((caseRow) => fits(caseRow, query, ""))
      .slice(0, 1);
  const { workload, connections } = first.case;
  const same = last.filter(
    ({ case: caseRow }) => caseRow.workload === workload && caseRow.connections === connections,
  );
  return [first, ...same.filter((other) => other !== first)]
    .slice(0, MOST_USUAL)
    .map(({ case: caseRow }) => caseRow);
}

function isUsual({ case: caseRow }: LatestRow): boolean {
  return caseRow.server === "tomcat" && caseRow.model === "virtual" && caseRow.workload === "hello";
}

/** The cases that may be added: those that the filters leave. */
export function offered(
  index: Index,
  row: ClassRow,
  query: URLSearchParams,
  chosen: readonly CaseRow[],
): readonly CaseRow[] {
  return casesOf(index, row).filter(
    (caseRow) => !chosen.includes(caseRow) && fits(caseRow, query, ""),
  );
}
