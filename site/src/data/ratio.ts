/** Ratios of measured values. Pure. */

import type { Value } from "./values";

/** Head ÷ base, as a comparison concluded it. */
export interface Ratio {
  readonly ratio: number;
  /** Null where nothing was concluded: the ratio of two medians has no interval. */
  readonly low: number | null;
  readonly high: number | null;
}

/** The ratio of two medians; null where no number can say it. */
export function ratioOf(base: Value, head: Value): number | null {
  const ratio = head.median / base.median;
  return ratio > 0 && Number.isFinite(ratio) ? ratio : null;
}
