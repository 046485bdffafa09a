/** The newest point of each case on a host class, as rows. Pure. */

import type { CaseRow, ClassRow, Index } from "./contract";

export interface LatestRow {
  readonly case: CaseRow;
  readonly run: string;
  readonly startedAt: string;
  readonly sha: string | null;
  readonly marks: readonly string[];
  readonly status: string;
  readonly bound: string | null;
  readonly n: number;
  readonly ideal_rps: number | null;
  /** What is said of the number, sentence by sentence. */
  readonly notes: readonly string[];
  readonly median: Readonly<Record<string, number | null>>;
  /** How far the interval reaches from the median of the throughput, as a share of it. */
  readonly spread: number | null;
}

/** The rows of one workload, best first. */
export interface LatestTable {
  readonly workload: string;
  readonly rows: readonly LatestRow[];
}

/** A row for each case, as it was measured last, by workload. */
export function latestTables(index: Index, row: ClassRow): readonly LatestTable[] {
  const byWorkload = new Map<string, LatestRow[]>();
  for (const found of latestRows(index, row)) {
    const same = byWorkload.get(found.case.workload);
    if (same) same.push(found);
    else byWorkload.set(found.case.workload, [found]);
  }
  return [...byWorkload].map(([workload, of]) => ({ workload, rows: of.sort(byRank) }));
}

/**
 * The newest row of each case, however it was measured; without those that the index does not
 * name. Other ways in which a case was measured are one choice away.
 */
export function latestRows(index: Index, row: ClassRow): readonly LatestRow[] {
  const newest = new Map<string, { readonly at: number; readonly of: CaseRow }>();
  row.latest.row.forEach((which, at) => {
    const of = index.cases[which];
    if (of === undefined) return;
    const other = newest.get(of.case);
    if (other === undefined || age(row, other.at) <= age(row, at)) newest.set(of.case, { at, of });
  });
  return [...newest.values()].map(({ at, of }) => latestRow(row, at, of));
}

function age({ latest }: ClassRow, at: number): string {
  return `${latest.time[at] ?? ""} ${latest.started_at[at] ?? ""}`;
}

function latestRow({ latest }: ClassRow, at: number, of: CaseRow): LatestRow {
  const median = Object.fromEntries(
    Object.entries(latest.metrics).map(([metric, columns]) => [metric, columns.median[at] ?? null]),
  );
  return {
    case: of,
    run: latest.run[at] ?? "",
    startedAt: latest.started_at[at] ?? "",
    sha: latest.sha[at] ?? null,
    marks: latest.marks[at] ?? [],
    status: latest.status[at] ?? "",
    bound: latest.bound[at] ?? null,
    n: latest.n[at] ?? 0,
    ideal_rps: latest.ideal_rps[at] ?? null,
    notes: (latest.notes[at] ?? []).flatMap((text) => latest.texts[text] ?? []),
    median,
    spread: spreadOf(latest.metrics["throughput_rps"], at),
  };
}

function spreadOf(
  columns: ClassRow["latest"]["metrics"][string] | undefined,
  at: number,
): number | null {
  const [median, low, high] = [columns?.median[at], columns?.low[at], columns?.high[at]];
  if (!median || low == null || high == null) return null;
  return Math.max(high - median, median - low) / median;
}

/** By connections, then by throughput; what was not measured or not the server's comes last. */
function byRank(a: LatestRow, b: LatestRow): number {
  return (
    a.case.connections - b.case.connections ||
    Number(unranked(a)) - Number(unranked(b)) ||
    throughput(b) - throughput(a)
  );
}

function throughput(row: LatestRow): number {
  return row.median["throughput_rps"] ?? 0;
}

// of these the number is not what the server can do
const UNRANKED: ReadonlySet<string> = new Set(["load-generator", "compiling"]);

function unranked(row: LatestRow): boolean {
  return row.median["throughput_rps"] == null || UNRANKED.has(row.bound ?? "");
}
