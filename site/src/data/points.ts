/** A series as points, from the columns in which it is published. */

import type { Month, Series } from "./contract";

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
  readonly bottleneck: string | null;
  readonly marks: readonly string[];
  /** Where the whole run is to be found. */
  readonly url: string | null;
  readonly branch: string | null;
  /** The versions of the Spring Boot lines of the run, by line. */
  readonly boots: Readonly<Record<string, string>>;
  /** What of the host may shift a level by itself, parts between `; `; empty where unknown. */
  readonly environment: string;
}

/** The status of what stands in the place of runs that could not be loaded. */
export const LOST = "lost";

/** The points of one metric over one month, oldest first. */
export function pointsOf(month: Month, series: Series, metric: string): readonly Point[] {
  const columns = Object.hasOwn(series.metrics, metric) ? series.metrics[metric] : undefined;
  return series.run.map((run, at) => ({
    ...runOf(month, run),
    median: finite(columns?.median[at]),
    low: finite(columns?.low[at]),
    high: finite(columns?.high[at]),
    n: series.n[at] ?? 0,
    status: series.status[at] ?? "",
    bottleneck: series.bottleneck[at] ?? null,
  }));
}

type RunFields = Omit<Point, "median" | "low" | "high" | "n" | "status" | "bottleneck">;

/** What a point has of its run. */
function runOf({ commits, runs }: Month, run: number): RunFields {
  const commit = commits[runs.commit[run] ?? -1];
  const startedAt = runs.started_at[run] ?? "";
  return {
    run: runs.id[run] ?? "",
    startedAt,
    time: commit?.time ?? startedAt,
    sha: commit?.sha ?? null,
    message: commit?.message ?? "",
    author: commit?.author ?? "",
    marks: runs.marks[run] ?? [],
    url: runs.url[run] ?? null,
    branch: runs.branch[run] ?? null,
    boots: runs.boots[run] ?? {},
    environment: runs.environments?.[runs.environment?.[run] ?? -1] ?? "",
  };
}

/** Stands before `next` for runs whose files could not be read. */
export function gapBefore(next: Point): Point {
  return {
    ...next,
    run: "",
    sha: null,
    message: "runs that could not be loaded",
    author: "",
    median: null,
    low: null,
    high: null,
    n: 0,
    status: LOST,
    bottleneck: null,
    marks: [],
    url: null,
    branch: null,
    boots: {},
    environment: "",
  };
}

function finite(value: unknown): number | null {
  return typeof value === "number" && Number.isFinite(value) ? value : null;
}
