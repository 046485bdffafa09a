/** No more dots than pixels can show, and none lost that tells something. Pure. */

import type { Dot, Range } from "./lines";

/**
 * The dots of a range and one on each side, at most a few for each column of pixels: the first, the
 * last, the least, the most, one that breaks the line, and all that are marked or `retained`.
 */
export function thinned(
  dots: readonly Dot[],
  { from, to }: Range,
  columns: number,
  retained: ReadonlySet<number> = new Set(),
): readonly Dot[] {
  const seen = around(dots, from, to);
  if (seen.length <= columns) return seen;
  const width = (to - from + 1) / Math.max(1, columns);
  const found: Dot[] = [];
  let begin = 0;
  while (begin < seen.length) {
    const column = columnOf(seen[begin], from, width);
    let end = begin + 1;
    while (end < seen.length && columnOf(seen[end], from, width) === column) end += 1;
    keepTelling(seen, begin, end, retained, found);
    begin = end;
  }
  return found;
}

function columnOf(dot: Dot | undefined, from: number, width: number): number {
  return Math.floor(((dot?.at ?? 0) - from) / width);
}

/** Those within, and their neighbours: a line leads out of what is seen. */
function around(dots: readonly Dot[], from: number, to: number): readonly Dot[] {
  return dots.slice(Math.max(0, firstFrom(dots, from) - 1), firstFrom(dots, to, true) + 1);
}

/** The index of the first dot at `at` or (`after`) behind it; the length where there is none. */
export function firstFrom(dots: readonly Dot[], at: number, after = false): number {
  let [low, high] = [0, dots.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const position = dots[middle]?.at ?? 0;
    if (position < at || (after && position === at)) low = middle + 1;
    else high = middle;
  }
  return low;
}

function keepTelling(
  dots: readonly Dot[],
  begin: number,
  end: number,
  retained: ReadonlySet<number>,
  into: Dot[],
): void {
  const telling = new Set([begin, end - 1, ...extremes(dots, begin, end)]);
  for (let at = begin; at < end; at += 1) {
    const dot = dots[at];
    if (dot && (dot.marked || dot.failed || telling.has(at) || retained.has(dot.at)))
      into.push(dot);
  }
}

/** Where the least and the most stand, and the last that has no value; −1 for what is not there. */
function extremes(dots: readonly Dot[], begin: number, end: number): readonly number[] {
  let [least, most, gap] = [-1, -1, -1];
  for (let at = begin; at < end; at += 1) {
    const value = dots[at]?.value ?? null;
    if (value === null) gap = at;
    else {
      if (least < 0 || value < (dots[least]?.value ?? 0)) least = at;
      if (most < 0 || value > (dots[most]?.value ?? 0)) most = at;
    }
  }
  return [least, most, gap];
}
