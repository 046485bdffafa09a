/** The ratio of two measured values, and how sure it is. Pure. */

import type { Value } from "./values";

/** Head ÷ base. */
export interface Ratio {
  readonly ratio: number;
  /** Null where one fork tells nothing of how it varies. */
  readonly low: number | null;
  readonly high: number | null;
}

/**
 * The ratio of two medians. Their intervals are taken as independent, on the log scale: the
 * distances to their edges add up as squares do (the method of Donner and Zou, 2012).
 */
export function ratioOf(base: Value, head: Value): Ratio | null {
  const all = [base.median, base.low, base.high, head.median, head.low, head.high];
  if (all.some((each) => !(each > 0) || !Number.isFinite(each))) return null;
  const ratio = head.median / base.median;
  if (!(ratio > 0) || !Number.isFinite(ratio)) return null;
  if (base.forks < 2 || head.forks < 2) return { ratio, low: null, high: null };
  const down = Math.hypot(Math.log(head.median / head.low), Math.log(base.high / base.median));
  const up = Math.hypot(Math.log(head.high / head.median), Math.log(base.median / base.low));
  return { ratio, low: ratio * Math.exp(-down), high: ratio * Math.exp(up) };
}
