/** The vertical axis of a chart: what it has room for, its grid, and where a value lies. Pure. */

import { type Edges, edges, extent, gridLines } from "./edges";
import type { Line, Range } from "./lines";
import { logTicks } from "./ticks";
import { type Bounds, usual } from "./usual";

export interface Vertical {
  /** In places on the axis: logarithms where it is logarithmic. */
  readonly min: number;
  readonly max: number;
  /** The values that have a line of the grid. */
  readonly ticks: readonly number[];
  /** Where on the axis a value lies; beyond the edges for one that it has no room for. */
  readonly place: (value: number) => number;
}

export interface Wishes {
  readonly log: boolean;
  readonly zero: boolean;
}

/** The axis for the dots that are seen; values that would erase all others are left outside. */
export function vertical(lines: readonly Line[], seen: Range, { log, zero }: Wishes): Vertical {
  const visible = lines.map((line) => ({ ...line, dots: dotsIn(line, seen) }));
  const bounds = usual(visible, log);
  const values = inside(visible, bounds);
  const positive = values.filter((value) => value > 0);
  if (log && positive.length > 0) return logarithmic(positive);
  const linear = edges(zero ? [...values, 0] : values);
  return {
    min: linear.min,
    max: linear.max,
    ticks: gridLines(linear),
    place: (value) => value,
  };
}

function dotsIn({ dots }: Line, { from, to }: Range) {
  return dots.filter(({ at }) => at >= from && at <= to);
}

function inside(lines: readonly Line[], { low, high }: Bounds): number[] {
  const values: number[] = [];
  const take = (value: number | null) => {
    if (value !== null && value >= low && value <= high) values.push(value);
  };
  for (const { dots } of lines) {
    for (const dot of dots) {
      take(dot.value);
      take(dot.low);
      take(dot.high);
    }
  }
  return values;
}

function logarithmic(values: readonly number[]): Vertical {
  const [least, most] = extent(values);
  const place = (value: number) => (value > 0 ? Math.log10(value) : Number.NEGATIVE_INFINITY);
  const margin = Math.max(0.02, (place(most) - place(least)) * 0.06);
  const [min, max] = [place(least) - margin, place(most) + margin];
  // less than a decade has steps as a linear axis has
  const ticks = max - min > 1 ? logTicks(least, most) : fine(edges([least, most]));
  const inside = ticks.filter((tick) => place(tick) >= min && place(tick) <= max);
  return { min, max, ticks: fewer(inside), place };
}

/** Edges of round values lie outside of a logarithmic axis, which has no others: half steps. */
function fine(of: Edges): readonly number[] {
  return gridLines({ ...of, interval: of.interval / 2 });
}

const MOST_TICKS = 12;

/** Over hundreds of decades only every so many of them. */
function fewer(ticks: readonly number[]): readonly number[] {
  const each = Math.ceil(ticks.length / MOST_TICKS);
  return ticks.filter((_, at) => at % each === 0);
}
