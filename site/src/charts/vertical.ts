/** The vertical axis of a chart: what it has room for, its grid, and where a value lies. Pure. */

import { type Edges, edges, extent, gridLines } from "./edges";
import type { Line, Range } from "./lines";
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
  const ticks = max - min > 1 ? decades(min, max) : gridLines(roomy(least, most));
  return {
    min,
    max,
    ticks: ticks.filter((tick) => place(tick) >= min && place(tick) <= max),
    place,
  };
}

/** Less than a decade has steps as a linear axis has. */
function roomy(least: number, most: number): Edges {
  return edges([least, most]);
}

const MOST_LINES = 8;

/** 1, 2 and 5 of each decade, or less where these are too many. */
function decades(min: number, max: number): readonly number[] {
  const [first, last] = [Math.floor(min), Math.ceil(max)];
  const count = last - first;
  const each = Math.ceil(count / MOST_LINES);
  const steps = max - min <= 3.5 ? [1, 2, 5] : [1];
  return Array.from({ length: Math.floor(count / each) + 1 }, (_, at) => first + at * each).flatMap(
    (power) => steps.map((step) => Number((step * 10 ** power).toPrecision(6))),
  );
}
