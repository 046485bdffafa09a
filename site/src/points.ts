/** A series as points, from the columns in which it is published. */

import type { Chunk, Series } from "./contract";

/** One run of a case: a median with its interval at 95 %, or the reason why there is none. */
export interface Point {
  readonly run: string;
  /** When the commit was made; when the run began where there is no commit. */
  readonly time: string;
  readonly startedAt: string;
  readonly sha: string | null;
  readonly message: string;
  readonly author: string;
  readonly median: number | null;
  readonly low: number | null;
  readonly high: number | null;
  /** How many forks the median is taken over. */
  readonly n: number;
  readonly status: string;
  readonly bound: string | null;
  readonly marks: readonly string[];
}

/** The points of one metric over one chunk, oldest first. */
export function pointsOf(chunk: Chunk, series: Series, metric: string): readonly Point[] {
  const columns = Object.hasOwn(series.metrics, metric) ? series.metrics[metric] : undefined;
  return series.run.map((run, at) => {
    const row = chunk.runs.commit[run] ?? null;
    const commit = row === null ? undefined : chunk.commits[row];
    return {
      run: chunk.runs.id[run] ?? "",
      startedAt: chunk.runs.started_at[run] ?? "",
      time: commit?.time ?? chunk.runs.started_at[run] ?? "",
      sha: commit?.sha ?? null,
      message: commit?.message ?? "",
      author: commit?.author ?? "",
      median: finite(columns?.median[at]),
      low: finite(columns?.low[at]),
      high: finite(columns?.high[at]),
      n: series.n[at] ?? 0,
      status: series.status[at] ?? "",
      bound: series.bound[at] ?? null,
      marks: chunk.runs.marks[run] ?? [],
    };
  });
}

function finite(value: unknown): number | null {
  return typeof value === "number" && Number.isFinite(value) ? value : null;
}
