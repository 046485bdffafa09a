/** Which series tell how much an event changed. Pure. */

import type { AffectedSeries, Event } from "./contract";
import { grouped } from "./group";

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

/** How many series an event touches: only the surest are published. */
export function affected_seriesOf(event: Event): number {
  return Math.max(event.affected_series_total ?? 0, event.affected_series.length);
}
