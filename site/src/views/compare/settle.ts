/** From what an address asks for to two runs, or to commits that have none. Pure. */

import { sameCommit } from "../../data/published";
import type { RunRow } from "../../data/runs";

/** What an address names: a run where one is known, else what was asked for. */
export interface Named {
  readonly asked: string;
  readonly sha: string | null;
  readonly run: RunRow | null;
}

export interface Ends {
  readonly base: Named;
  readonly head: Named;
}

const SHA = /^[0-9a-f]{7,64}$/;

export function isSha(text: string): boolean {
  return SHA.test(text);
}

/**
 * The two ends of a comparison. Without a head the newest run is taken, and without a base the
 * one before it that was measured in the same way; null where there are no two.
 */
export function settleEnds(
  runs: readonly RunRow[],
  baseAsked: string | null,
  headAsked: string | null,
): Ends | null {
  const head = headAsked ? named(runs, headAsked, null) : newest(runs, baseAsked);
  if (head === null) return null;
  const base = baseAsked
    ? named(runs, baseAsked, head.run?.profile ?? null)
    : before(runs, head.run);
  if (base === null) return null;
  // of the commit's runs the one that was measured as the base was
  const again = headAsked ? named(runs, headAsked, base.run?.profile ?? null) : head;
  return { base, head: again };
}

function named(runs: readonly RunRow[], asked: string, profile: string | null): Named {
  const byId = runs.find(({ id }) => id === asked);
  if (byId !== undefined) return ofRun(byId);
  if (!isSha(asked)) return { asked, sha: null, run: null };
  const same = runs.filter(({ sha }) => sha !== null && sameCommit(sha, asked));
  const run = same.find((each) => each.profile === profile) ?? same[0] ?? null;
  return run === null ? { asked, sha: asked, run } : { ...ofRun(run), asked };
}

function ofRun(run: RunRow): Named {
  return { asked: run.id, sha: run.sha, run };
}

function newest(runs: readonly RunRow[], baseAsked: string | null): Named | null {
  const run = runs.find(({ id, sha }) => id !== baseAsked && (sha === null || sha !== baseAsked));
  return run === undefined ? null : ofRun(run);
}

function before(runs: readonly RunRow[], head: RunRow | null): Named | null {
  const at = head === null ? -1 : runs.indexOf(head);
  const older = runs.slice(at + 1).filter(({ sha }) => sha === null || sha !== head?.sha);
  const run =
    older.find(({ profile }) => profile === head?.profile) ??
    older[0] ??
    runs.find((each) => each !== head);
  return run === undefined ? null : ofRun(run);
}
