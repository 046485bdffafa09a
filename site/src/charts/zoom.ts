/** Which places are seen after a zoom or a move. Pure. */

import type { Range } from "./lines";

/** No closer than so many places. */
export const CLOSEST = 5;

export function everything(positions: number): Range {
  return { from: 0, to: Math.max(0, positions - 1) };
}

/** A range of whole places within what there is. */
export function held({ from, to }: Range, positions: number): Range {
  const last = Math.max(0, positions - 1);
  const span = Math.min(last, Math.max(CLOSEST - 1, Math.round(to - from)));
  const first = Math.max(0, Math.min(Math.round(from), last - span));
  return { from: first, to: first + span };
}

/** The range that a key asks for, around a place; null for other keys. */
export function zoomed(
  key: string,
  shift: boolean,
  range: Range,
  positions: number,
  around: number,
) {
  const span = range.to - range.from + 1;
  const grown = (times: number) => {
    const next = span * times;
    return held({ from: around - next / 2, to: around + next / 2 - 1 }, positions);
  };
  const moved = (by: number) => held({ from: range.from + by, to: range.to + by }, positions);
  if (key === "+" || key === "=") return grown(0.5);
  if (key === "-") return grown(2);
  if (key === "0") return everything(positions);
  if (shift && key === "ArrowLeft") return moved(-Math.ceil(span / 4));
  if (shift && key === "ArrowRight") return moved(Math.ceil(span / 4));
  return null;
}

/** A range of the same width that has a place in it. */
export function showing(range: Range, at: number, positions: number): Range {
  if (at >= range.from && at <= range.to) return range;
  const span = range.to - range.from;
  const from = at < range.from ? at : at - span;
  return held({ from, to: from + span }, positions);
}
