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
  asked: URLSearchParams,
): Wish {
  const metric = asked.get("metric");
  const known = metrics.some(({ name }) => name === metric);
  const runs = Number(asked.get("runs"));
  return {
    metric: known && metric ? metric : (metrics[0]?.name ?? ""),
    log: asked.get("scale") === "log",
    zero: asked.get("zero") === "1",
    relative: asked.get("relative") || null,
    by: AXES.find((axis) => axis === asked.get("by")) ?? null,
    from: moment(asked.get("from")),
    to: moment(asked.get("to")),
    runs: runs > 0 ? runs : RUNS,
  };
}

function moment(text: string | null): number | null {
  const at = Date.parse(text ?? "");
  return Number.isNaN(at) ? null : at;
}

/** A series by the name that an address has for it. */
export function nameOf(of: { readonly case: string; readonly configuration: string }): string {
  return `${of.case}@${of.configuration}`;
}

export interface Chosen {
  readonly cases: readonly CaseRow[];
  /** Names that the data do not have. */
  readonly unknown: readonly string[];
  /** Whether the address names any. */
  readonly named: boolean;
}

/** The series that an address names, each once; without one, those that a newcomer asks for. */
export function chosenSeries(index: Index, row: ClassRow, asked: URLSearchParams): Chosen {
  const names = [...new Set(asked.getAll("s").filter(Boolean))];
  const found = names.map((name) => settleSeries(index, row, name));
  const cases = [...new Set(found.flatMap((of) => of ?? []))];
  const unknown = names.filter((_, at) => found[at] === null);
  if (cases.length > 0) return { cases, unknown, named: true };
  return { cases: usualSeries(index, row, asked), unknown, named: false };
}

const MOST_USUAL = 4;

/** Of what the filters leave, one case of the newest run and others under the same load. */
export function usualSeries(
  index: Index,
  row: ClassRow,
  asked: URLSearchParams,
): readonly CaseRow[] {
  const rows = latestRows(index, row).filter(({ case: of }) => fits(of, asked, ""));
  const newest = rows
    .map(({ startedAt }) => startedAt)
    .toSorted()
    .at(-1);
  const last = rows.filter(({ startedAt }) => startedAt === newest);
  const first = last.find(isUsual) ?? last.find(isRanked) ?? last[0];
  if (first === undefined)
    return casesOf(index, row)
      .filter((of) => fits(of, asked, ""))
      .slice(0, 1);
  const { workload, connections } = first.case;
  const same = last.filter(
    ({ case: of }) => of.workload === workload && of.connections === connections,
  );
  return [first, ...same.filter((each) => each !== first)]
    .slice(0, MOST_USUAL)
    .map(({ case: of }) => of);
}

function isUsual({ case: of }: LatestRow): boolean {
  return of.server === "tomcat" && of.model === "virtual" && of.workload === "hello";
}

/** The cases that may be added: those that the filters leave. */
export function offered(
  index: Index,
  row: ClassRow,
  asked: URLSearchParams,
  chosen: readonly CaseRow[],
): readonly CaseRow[] {
  return casesOf(index, row).filter((of) => !chosen.includes(of) && fits(of, asked, ""));
}
