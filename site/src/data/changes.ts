/** What an event changed, metric by metric. Pure. */

import { median } from "./averages";
import type { AffectedSeries, Event } from "./contract";
import { grouped } from "./group";
import { byImportance } from "./metrics";

/**
 * What happened to a metric, over so many series. Of one series the edges are its interval, of
 * several the least and the greatest ratio.
 */
export interface Change {
  readonly metric: string;
  readonly ratio: number;
  readonly low: number;
  readonly high: number;
  readonly series: number;
}

/** A comparison's own measurement configuration says only that there is no series. */
export const PAIRS = "compare";

/**
 * The affected series that tell the size of a change, by metric: where a comparison has seen it, its
 * pairs do. In a series of runs the host's own changes are part of it.
 */
export function tellingAffectedSeries(
  affected_series: readonly AffectedSeries[],
): ReadonlyMap<string, readonly AffectedSeries[]> {
  const byMetric = grouped(affected_series, ({ metric }) => metric);
  return new Map(
    [...byMetric].map(([metric, all]) => {
      const pairs = all.filter(({ configuration }) => configuration === PAIRS);
      return [metric, pairs.length > 0 ? pairs : all];
    }),
  );
}

/** One for each metric, that of the most series first. */
export function changesOf({ affected_series }: Event): readonly Change[] {
  const changes = [...tellingAffectedSeries(affected_series).values()].map(changeOf);
  return changes.toSorted(
    (a, b) =>
      b.series - a.series ||
      byImportance(a.metric, b.metric) ||
      a.metric.localeCompare(b.metric, "en"),
  );
}

function changeOf(affected_series: readonly AffectedSeries[]): Change {
  const [first] = affected_series;
  const ratios = affected_series.map(({ ratio }) => ratio).toSorted((a, b) => a - b);
  const [low = 1, high = 1] = [ratios[0], ratios.at(-1)];
  const alone = affected_series.length === 1 && first !== undefined;
  return {
    metric: first?.metric ?? "",
    ratio: median(ratios),
    low: alone ? first.low_ratio : low,
    high: alone ? first.high_ratio : high,
    series: affected_series.length,
  };
}

/** How many series an event touches: only the surest are published. */
export function affected_seriesOf(event: Event): number {
  return Math.max(event.affected_series_total ?? 0, event.affected_series.length);
}
