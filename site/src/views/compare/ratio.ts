/** How two values differ: their ratio, how sure, and what that says. Pure. */

import type { Effect } from "../../data/metrics";
import { type Ratio, ratioOf } from "../../data/ratio";
import type { Value } from "../../data/values";

export type Better = "higher" | "lower";
/** `suspected` only of a measured comparison: it looks like a change, and was not measured again. */
export type Verdict = "worse" | "suspected" | "better" | "changed" | "same" | "unknown";
/** Why nothing can be told. */
export type Why = "one-fork" | "wide" | "absent" | "zero" | "not-server" | "failed";

export interface Judged {
  readonly ratio: Ratio | null;
  readonly verdict: Verdict;
  readonly why: Why | null;
}

/** What two values say of a change. */
export function judge(base: Value, head: Value, better: Better, limits: Effect): Judged {
  const ratio = ratioOf(base, head);
  if (ratio === null) return judgeWithZero(base, head, better);
  const { low, high } = ratio;
  if (low === null || high === null) return { ratio, verdict: "unknown", why: "one-fork" };
  const sure = low > 1 || high < 1;
  if (sure && Math.abs(ratio.ratio - 1) >= limits.notable) {
    return { ratio, verdict: direction(ratio.ratio > 1, better), why: null };
  }
  const narrow = low >= 1 - limits.equivalent && high <= 1 + limits.equivalent;
  return narrow
    ? { ratio, verdict: "same", why: null }
    : { ratio, verdict: "unknown", why: "wide" };
}

/** Nothing is a multiple of nought; but errors where there were none are plain to see. */
function judgeWithZero(base: Value, head: Value, better: Better): Judged {
  const none = { ratio: null, why: null } as const;
  if (base.median === head.median && base.high === head.high) return { ...none, verdict: "same" };
  const enough = base.forks > 1 && head.forks > 1;
  if (enough && head.low > base.high) return { ...none, verdict: direction(true, better) };
  if (enough && head.high < base.low) return { ...none, verdict: direction(false, better) };
  return { ratio: null, verdict: "unknown", why: enough ? "zero" : "one-fork" };
}

function direction(grew: boolean, better: Better): Verdict {
  return grew === (better === "higher") ? "better" : "worse";
}

/** How far a ratio is from 1, to sort by; what has none, and yet has changed, comes first. */
export function sizeOf({ ratio, verdict }: Judged): number {
  if (ratio !== null) return Math.abs(Math.log(ratio.ratio));
  return isChange(verdict) ? Number.POSITIVE_INFINITY : -1;
}

export function isChange(verdict: Verdict): boolean {
  return verdict !== "same" && verdict !== "unknown";
}
