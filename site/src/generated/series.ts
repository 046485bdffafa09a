/* Generated from bench/schema by `npm run types`. Do not edit. */

/**
 * One case, measured in one way on one host class, over a month.
 *
 * `run` holds indices into the runs of the month, in order; every other column has one entry for
 * each. A metric that no run of the month has is left out.
 */
export interface Series {
  schema: 2;
  case: string;
  configuration: string;
  class: string;
  month: string;
  run: number[];
  status: ("ok" | "failed" | "skipped")[];
  bottleneck: (
    | (
        | "server-cpu"
        | "cpu-quota"
        | "thread-cap"
        | "memory"
        | "latency"
        | "load-generator"
        | "link"
        | "upstream"
        | "backlog"
        | "database-pool"
        | "cpu-waves"
        | "errors"
        | "not-warmed-up"
        | "unknown"
      )
    | null
  )[];
  n: number[];
  metrics: {
    [k: string]: Columns;
  };
}
/**
 * One metric of several points: medians, and their intervals at 95 %.
 */
export interface Columns {
  median: (number | null)[];
  low: (number | null)[];
  high: (number | null)[];
}
