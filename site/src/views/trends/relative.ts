/** Values as they are, or as multiples of others. Pure. */

import type { Point } from "../../data/points";
import { ratioOf } from "../../data/ratio";
import type { Value } from "../../data/values";

/** What is drawn of a point. */
export interface Shown {
  readonly value: number | null;
  readonly low: number | null;
  readonly high: number | null;
}

const NOTHING: Shown = { value: null, low: null, high: null };

/** As it is. A single fork has no interval. */
export function absolute({ median, low, high, n }: Point): Shown {
  return n > 1 ? { value: median, low, high } : { value: median, low: null, high: null };
}

/** As multiples of the first value. */
export function toFirst(points: readonly Point[]): readonly Shown[] {
  const base = points.find(({ median }) => median !== null && median > 0)?.median ?? null;
  if (base === null) return points.map(() => NOTHING);
  const share = (value: number | null) => (value === null ? null : value / base);
  return points.map(absolute).map(({ value, low, high }) => ({
    value: share(value),
    low: share(low),
    high: share(high),
  }));
}

/** As multiples of what another series had at the same commit. */
export function toSeries(points: readonly Point[], other: readonly Point[]): readonly Shown[] {
  const bases = new Map(other.map((point) => [keyOf(point), measuredOf(point)]));
  return points.map((point) => {
    const [base, value] = [bases.get(keyOf(point)), measuredOf(point)];
    const ratio = base && value ? ratioOf(base, value) : null;
    // the ratio of two medians; nobody has concluded an interval of it
    return ratio === null ? NOTHING : { value: ratio, low: null, high: null };
  });
}

/** Runs outside git meet only themselves. */
function keyOf({ sha, run }: Point): string {
  return sha ?? `run ${run}`;
}

function measuredOf({ median, low, high, n }: Point): Value | null {
  if (median === null) return null;
  return { median, low: low ?? median, high: high ?? median, forks: n };
}
