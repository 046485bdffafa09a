/** The newest run of a host class as rows. Pure. */

import type { CaseRow, ClassRow, Index } from "./contract";

export interface LatestRow {
  readonly case: CaseRow;
  readonly status: string;
  readonly bound: string | null;
  readonly ideal_rps: number | null;
  readonly median: Readonly<Record<string, number | null>>;
}

/** One workload of the newest run, its rows best first. */
export interface LatestTable {
  readonly workload: string;
  readonly rows: readonly LatestRow[];
}

/** The rows of the newest run, by workload; without those whose case the index does not name. */
export function latestTables(index: Index, row: ClassRow): readonly LatestTable[] {
  const byWorkload = new Map<string, LatestRow[]>();
  for (const found of rows(index, row)) {
    const same = byWorkload.get(found.case.workload);
    if (same) same.push(found);
    else byWorkload.set(found.case.workload, [found]);
  }
  return [...byWorkload].map(([workload, of]) => ({ workload, rows: of.sort(byRank) }));
}

function rows(index: Index, { latest }: ClassRow): readonly LatestRow[] {
  return latest.case.flatMap((which, at) => {
    const named = index.cases[which];
    if (named === undefined) return [];
    const median = Object.fromEntries(
      Object.entries(latest.median).map(([metric, column]) => [metric, column[at] ?? null]),
    );
    return {
      case: named,
      status: latest.status[at] ?? "",
      bound: latest.bound[at] ?? null,
      ideal_rps: latest.ideal_rps[at] ?? null,
      median,
    };
  });
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
  return row.median["throughput_rps"] === null || UNRANKED.has(row.bound ?? "");
}
