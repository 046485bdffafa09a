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

export interface EvaluatedClaim {
  readonly claim: Claim;
  readonly verdict: Verdict;
}

/** The claims that were measured on a host class, in the order in which they are declared. */
export function evaluatedClaims(row: ClassRow): readonly EvaluatedClaim[] {
  const found = new Map((row.claims ?? []).map((verdict) => [verdict.claim, verdict]));
  return CLAIMS.flatMap((claim) => {
    const verdict = found.get(claim.id);
    return verdict ? [{ claim, verdict }] : [];
  });
}

/** The others. */
export function openClaims(row: ClassRow): readonly Claim[] {
  const measuredIds = new Set((row.claims ?? []).map(({ claim }) => claim));
  return CLAIMS.filter(({ id }) => !measuredIds.has(id));
}
