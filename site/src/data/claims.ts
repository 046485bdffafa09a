/** What others have published, and the verdicts of the runs of a host class. Pure. */

import claims from "../generated/claims.json";
import type { ClassRow } from "./contract";

export type Verdict = NonNullable<ClassRow["claims"]>[number];

/** A row of bench/claims.toml. */
export interface Claim {
  readonly id: string;
  readonly claim: string;
  /** Where it was published, and when, as precisely as it says. */
  readonly source: string;
  readonly address: string;
  readonly date?: string;
  /** What measures it. */
  readonly command: string;
}

export const CLAIMS: readonly Claim[] = claims;

export interface Judged {
  readonly claim: Claim;
  readonly found: Verdict;
}

/** The claims that were measured on a host class, in the order in which they are declared. */
export function judgedClaims(row: ClassRow): readonly Judged[] {
  const found = new Map((row.claims ?? []).map((each) => [each.claim, each]));
  return CLAIMS.flatMap((claim) => {
    const verdict = found.get(claim.id);
    return verdict ? [{ claim, found: verdict }] : [];
  });
}

/** The others. */
export function openClaims(row: ClassRow): readonly Claim[] {
  const judged = new Set((row.claims ?? []).map(({ claim }) => claim));
  return CLAIMS.filter(({ id }) => !judged.has(id));
}
