/** The newest point of each case on a host class, as rows. Pure. */

import { UNRANKED } from "../generated/metrics";
import type { CaseRow, ClassRow, Index } from "./contract";
import { type Value, valueAt } from "./values";

export interface LatestRow {
  readonly case: CaseRow;
  readonly run: string;
  readonly startedAt: string;
  readonly sha: string | null;
  readonly marks: readonly string[];
  readonly status: string;
  readonly bottleneck: string | null;
  readonly n: number;
  readonly theoretical_max_rps: number | null;
  /** What is said of the number, sentence by sentence. */
  readonly notes: readonly string[];
  readonly median: Readonly<Record<string, number | null>>;
  /** The interval of the throughput; null where one fork has none. */
  readonly interval: Interval | null;
  /** A metric with its interval; null where it was not taken. */
  readonly value: (metric: string) => Value | null;
}

export interface Interval {
  readonly low: number;
  readonly high: number;
}

/**
 * The newest row of each case, however it was measured; without those that the index does not
 * name. Other ways in which a case was measured are one choice away. With `metric`, the newest that
 * has it; with `accepts`, the newest that was measured in such a way.
 */
export function latestRows(
  index: Index,
  row: ClassRow,
  metric?: string,
  accepts: (caseRow: CaseRow) => boolean = () => true,
): readonly LatestRow[] {
  const newest = new Map<string, { readonly at: number; readonly caseRow: CaseRow }>();
  row.latest.row.forEach((which, at) => {
    const caseRow = index.cases[which];
    if (caseRow === undefined || !accepts(caseRow)) return;
    if (metric !== undefined && valueAt(row.latest.metrics, metric, at, 1) === null) return;
    const other = newest.get(caseRow.case);
    if (other === undefined || age(row, other.at) <= age(row, at))
      newest.set(caseRow.case, { at, caseRow });
  });
  return [...newest.values()].map(({ at, caseRow }) => latestRow(row, at, caseRow));
}

/** The row at a place of the columns of the newest points; null where the index names no case. */
export function latestRowAt(index: Index, row: ClassRow, at: number): LatestRow | null {
  const caseRow = index.cases[row.latest.row[at] ?? -1];
  return caseRow === undefined ? null : latestRow(row, at, caseRow);
}

function age({ latest }: ClassRow, at: number): string {
  return `${latest.time[at] ?? ""} ${latest.started_at[at] ?? ""}`;
}

function latestRow({ latest }: ClassRow, at: number, caseRow: CaseRow): LatestRow {
  const median = Object.fromEntries(
    Object.entries(latest.metrics).map(([metric, columns]) => [metric, columns.median[at] ?? null]),
  );
  return {
    case: caseRow,
    run: latest.run[at] ?? "",
    startedAt: latest.started_at[at] ?? "",
    sha: latest.sha[at] ?? null,
    marks: latest.marks[at] ?? [],
    status: latest.status[at] ?? "",
    bottleneck: latest.bottleneck[at] ?? null,
    n: latest.n[at] ?? 0,
    theoretical_max_rps: latest.theoretical_max_rps[at] ?? null,
    notes: (latest.notes[at] ?? []).flatMap((text) => latest.texts[text] ?? []),
    median,
    value: (metric) => valueAt(latest.metrics, metric, at, latest.n[at] ?? 0),
    interval: intervalOf(latest.metrics["throughput_rps"], latest.n[at] ?? 0, at),
  };
}

function intervalOf(
  columns: ClassRow["latest"]["metrics"][string] | undefined,
  forks: number,
  at: number,
): Interval | null {
  const [low, high] = [columns?.low[at], columns?.high[at]];
  return forks < 2 || low == null || high == null ? null : { low, high };
}

/** Whether the throughput is what the server can do: something that may be ranked. */
export function isRanked(row: LatestRow): boolean {
  return (
    row.status === "ok" &&
    (row.median["throughput_rps"] ?? 0) > 0 &&
    !UNRANKED.has(row.bottleneck ?? "")
  );
}
