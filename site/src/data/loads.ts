/** The loads that cases were measured under: a workload, and its numbers of connections. Pure. */

import { grouped } from "./group";
import type { LatestRow } from "./latest";

export interface Load {
  readonly workload: string;
  /** The numbers of connections, ascending, each with the cases that have it. */
  readonly counts: readonly { readonly connections: number; readonly rows: readonly LatestRow[] }[];
}

export function loadsOf(rows: readonly LatestRow[]): readonly Load[] {
  return [...grouped(rows, (row) => row.case.workload)].map(([workload, same]) => ({
    workload,
    counts: [...grouped(same, (row) => row.case.connections)]
      .map(([connections, each]) => ({ connections, rows: each }))
      .toSorted((a, b) => a.connections - b.connections),
  }));
}

/** The load of that workload, else the first one that has what is wanted, else the first. */
export function settleLoad(
  loads: readonly Load[],
  asked: string | null,
  wanted: (load: Load) => boolean = () => true,
): Load | null {
  const named = loads.find(({ workload }) => workload === asked);
  return named ?? loads.find(wanted) ?? loads[0] ?? null;
}

/** The rows at that number of connections, else at the one that most variants have. */
export function settleCount(load: Load, asked: string | null): Load["counts"][number] | null {
  const named = load.counts.find(({ connections }) => String(connections) === asked);
  const [most] = load.counts.toSorted((a, b) => b.rows.length - a.rows.length);
  return named ?? most ?? null;
}
