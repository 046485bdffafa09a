/** One number out of published columns, with what stands behind it. Pure. */

import type { PublishedRun } from "./published";

/** A metric of a case: the median over forks, and its interval at 95 %. */
export interface Value {
  readonly median: number;
  readonly low: number;
  readonly high: number;
  /** How many forks stand behind it; with one the interval is the value, and tells nothing. */
  readonly forks: number;
}

/** A metric at one place of its columns; null where it was not taken. */
export function valueAt(
  metrics: PublishedRun["metrics"],
  metric: string,
  at: number,
  forks: number,
): Value | null {
  const columns = Object.hasOwn(metrics, metric) ? metrics[metric] : undefined;
  const [median, low, high] = [columns?.median[at], columns?.low[at], columns?.high[at]];
  if (typeof median !== "number" || !Number.isFinite(median)) return null;
  return { median, low: low ?? median, high: high ?? median, forks };
}
