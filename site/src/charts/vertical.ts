/** The vertical axis of a chart: what it has room for, its grid, and where a value lies. Pure. */

import { type Edges, edges, gridLines } from "./edges";
import type { Dot, Line, Range } from "./lines";
import { firstFrom } from "./thinned";
import { logTicks } from "./ticks";
import { type Bounds, usual } from "./usual";

export interface Vertical {
  /** In places on the axis: logarithms where it is logarithmic. */
  readonly min: number;
  readonly max: number;
  /** The values that have a line of the grid. */
  readonly ticks: readonly number[];
  /** Where on the axis a value lies; beyond the edges for one that it has no room for. */
  readonly positionOf: (value: number) => number;
}

export interface Wishes {
  readonly log: boolean;
  readonly zero: boolean;
}

/** The axis for the dots that are seen; values that would erase all others are left outside. */
export function vertical(lines: readonly Line[], seen: Range, { log, zero }: Wishes): Vertical {
  const visible = lines.map((line) => ({ ...line, dots: dotsIn(line, seen) }));
  const bounds = usual(visible, log);
  if (log) {
    const [least, most] = extentOf(visible, bounds, true);
    if (least > 0 && Number.isFinite(least)) return logarithmic(least, most);
  }
  const values = extentOf(visible, bounds, false).filter(Number.isFinite);
  const linear = edges(zero ? [...values, 0] : values);
  return {
    min: linear.min,
    max: linear.max,
    ticks: gridLines(linear),
    positionOf: (value) => value,
  };
}

function dotsIn({ dots }: Line, { from, to }: Range): readonly Dot[] {
  return dots.slice(firstFrom(dots, from), firstFrom(dots, to, true));
}

/** The least and the most within bounds; of the `positive` ones where only these have a place. */
function extentOf(
  lines: readonly Line[],
  { low, high }: Bounds,
  positive: boolean,
): readonly [least: number, most: number] {
  let least = Number.POSITIVE_INFINITY;
  let most = Number.NEGATIVE_INFINITY;
  const take = (value: number | null) => {
    if (value === null || value < low || value > high || (positive && value <= 0)) return;
    if (value < least) least = value;
    if (value > most) most = value;
  };
  for (const { dots } of lines) {
    for (const dot of dots) {
      take(dot.value);
      take(dot.low);
      take(dot.high);
    }
  }
  return [least, most];
}

function logarithmic(least: number, most: number): Vertical {
  const positionOf = (value: number) => (value > 0 ? Math.log10(value) : Number.NEGATIVE_INFINITY);
  const margin = Math.max(0.02, (positionOf(most) - positionOf(least)) * 0.06);
  const [min, max] = [positionOf(least) - margin, positionOf(most) + margin];
  // less than a decade has steps as a linear axis has
  const ticks = max - min > 1 ? logTicks(least, most) : fine(edges([least, most]));
  const inside = ticks.filter((tick) => positionOf(tick) >= min && positionOf(tick) <= max);
  return { min, max, ticks: fewer(inside), positionOf };
}

/** Edges of round values lie outside of a logarithmic axis, which has no others: half steps. */
function fine(axis: Edges): readonly number[] {
  return gridLines({ ...axis, interval: axis.interval / 2 });
}

const MOST_TICKS = 12;

/** Over hundreds of decades only every so many of them. */
function fewer(ticks: readonly number[]): readonly number[] {
  const step = Math.ceil(ticks.length / MOST_TICKS);
  return ticks.filter((_, at) => at % step === 0);
}
