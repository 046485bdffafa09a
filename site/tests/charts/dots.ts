/** Lines as the tests of charts need them. */

import type { Dot, Line, LinesPicture } from "../../src/charts/lines";

export function dot(at: number, value: number | null, more: Partial<Dot> = {}): Dot {
  return { at, value, low: null, high: null, marked: false, failed: false, ...more };
}

export function line(values: readonly (number | null)[], id = "a", number = 1): Line {
  return { id, name: id, number, dots: values.map((value, at) => dot(at, value)) };
}

export function picture(lines: readonly Line[], more: Partial<LinesPicture> = {}): LinesPicture {
  return {
    lines,
    against: lines,
    marks: [],
    environmentChanges: [],
    positions: Math.max(0, ...lines.map(({ dots }) => dots.length)),
    label: (at) => `day ${at}`,
    write: String,
    log: false,
    zero: false,
    ...more,
  };
}
