/** Intervals of many dots as an area. Pure. */

import type { Dot } from "./lines";

export interface Slice {
  readonly at: number;
  readonly low: number;
  readonly high: number;
}

/** Unbroken stretches of intervals; of dots that share a column of pixels, all of their width. */
export function bands(dots: readonly Dot[], width: number): readonly (readonly Slice[])[] {
  const stretches: Slice[][] = [];
  let current: Slice[] = [];
  const end = () => {
    if (current.length > 0) stretches.push(current);
    current = [];
  };
  for (const { at, value, low, high } of dots) {
    if (value === null) end();
    if (low === null || high === null) continue;
    const last = current.at(-1);
    if (last && Math.floor(last.at / width) === Math.floor(at / width)) {
      const wider = { at: last.at, low: Math.min(last.low, low), high: Math.max(last.high, high) };
      current[current.length - 1] = wider;
    } else current.push({ at, low, high });
  }
  end();
  return stretches;
}
