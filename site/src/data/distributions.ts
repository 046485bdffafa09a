/** Latencies at a constant rate, out of published runs. Pure. */

import type { LatestRow } from "./latest";
import type { PublishedRun } from "./published";
import type { Value } from "./values";

/** What the newest row of a case must have for its run to hold a distribution. */
export const RATED = "open_loop_50_latency_p99_s";

/** Percent of its capacity that a server is loaded with. */
export const RATES = [50, 80] as const;
export type Rate = (typeof RATES)[number];

/** The latencies of one case at one rate. */
export interface Distribution {
  readonly row: LatestRow;
  readonly offered_rps: number;
  readonly forks: number;
  /** In order of their percentiles; each is above zero. */
  readonly points: readonly Point[];
}

export interface Point {
  /** So many of a hundred requests took no longer. */
  readonly percent: number;
  readonly value: Value;
}

/** The rate that was asked for, else 50 %: there every server has room to breathe. */
export function settleRate(requestedRate: string | null): Rate {
  return RATES.find((rate) => String(rate) === requestedRate) ?? 50;
}

/** The distributions of the rows at one rate; a row whose run has none is left out. */
export function distributionsAt(
  runs: readonly PublishedRun[],
  rows: readonly LatestRow[],
  rate: Rate,
): readonly Distribution[] {
  return rows.flatMap((row) => {
    const run = runs.find(({ id }) => id === row.run);
    const publishedCase = run?.cases.find(
      (candidate) =>
        candidate.case === row.case.case && candidate.configuration === row.case.configuration,
    );
    const published = publishedCase?.distributions?.find(
      (distribution) => distribution.capacity_percent === rate,
    );
    if (published === undefined) return [];
    const { percent, latency_s: columns, n: forks, offered_rps } = published;
    const points = percent.flatMap((percentile, index): Point[] => {
      const [median, low, high] = [
        columns.median[index],
        columns.low[index],
        columns.high[index],
      ].map((value) => (typeof value === "number" && Number.isFinite(value) ? value : null));
      if (median == null || !(median > 0) || !(percentile > 0 && percentile < 100)) return [];
      return [
        { percent: percentile, value: { median, low: low ?? median, high: high ?? median, forks } },
      ];
    });
    return points.length > 0 ? [{ row, offered_rps, forks, points }] : [];
  });
}

/** The latency at a percentile; null where the distribution does not reach so far. */
export function latencyAt({ points }: Distribution, percent: number): Value | null {
  return points.find((point) => point.percent === percent)?.value ?? null;
}

/** Where a percentile lies on an axis on which each nine takes as much room as the one before. */
export function positionOf(percent: number): number {
  return 100 / (100 - percent);
}

/** The percentile at a place, without what the division has lost. */
export function percentAt(position: number): number {
  return Number((100 - 100 / position).toPrecision(7));
}
