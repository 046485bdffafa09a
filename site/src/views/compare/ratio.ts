/** How two values differ: their ratio, and what was concluded of it. Pure. */

import type { Ratio } from "../../data/ratio";

export type Better = "higher" | "lower";
/** `suspected` only of a measured comparison: it looks like a change, and was not measured again. */
export type Verdict = "worse" | "suspected" | "better" | "changed" | "same" | "unknown";
/** Why nothing can be decided. */
export type Why = "wide" | "absent" | "failed" | "no-step" | "not-ranked";

export interface Evaluated {
  readonly ratio: Ratio | null;
  readonly verdict: Verdict;
  readonly why: Why | null;
}

/** How far a ratio is from 1, to sort by; what has none, and yet has changed, comes first. */
export function sizeOf({ ratio, verdict }: Evaluated): number {
  if (ratio !== null) return Math.abs(Math.log(ratio.ratio));
  return isChange(verdict) ? Number.POSITIVE_INFINITY : -1;
}

export function isChange(verdict: Verdict): boolean {
  return verdict !== "same" && verdict !== "unknown";
}
