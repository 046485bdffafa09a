/** From what an address asks for to two runs, or to commits that have none. Pure. */

import { sameCommit } from "../../data/published";
import { mayBeOfOne, type RunRow } from "../../data/runs";

/** What an address names: a run where one is known, else what was asked for. */
export interface Named {
  readonly name: string;
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
  baseName: string | null,
  headName: string | null,
): Ends | null {
  const head = headName ? named(runs, headName, null) : newest(runs, baseName);
  if (head === null) return null;
  const base = baseName ? named(runs, baseName, head.run) : before(runs, head.run);
  if (base === null) return null;
  // of the commit's runs the one that was measured as the base was
  const again = headName ? named(runs, headName, base.run) : head;
  return { base, head: again };
}

/** Of a commit's runs the one that was measured as `like` was; none that is of another service. */
function named(runs: readonly RunRow[], name: string, like: RunRow | null): Named {
  const byId = runs.find(({ id }) => id === name);
  if (byId !== undefined) return ofRun(byId);
  if (!isSha(name)) return { name, sha: null, run: null };
  const same = alike(runs, like).filter(({ sha }) => sha !== null && sameCommit(sha, name));
  const run = same.find(({ profile }) => profile === like?.profile) ?? same[0] ?? null;
  return run === null ? { name, sha: name, run } : { ...ofRun(run), name };
}

function alike(runs: readonly RunRow[], like: RunRow | null): readonly RunRow[] {
  return runs.filter(({ service }) => mayBeOfOne(service, like?.service ?? null));
}

function ofRun(run: RunRow): Named {
  return { name: run.id, sha: run.sha, run };
}

function newest(runs: readonly RunRow[], baseName: string | null): Named | null {
  const base = runs.find(({ id }) => id === baseName) ?? null;
  const run = alike(runs, base).find(
    ({ id, sha }) => id !== baseName && (sha === null || sha !== baseName),
  );
  return run === undefined ? null : ofRun(run);
}

function before(runs: readonly RunRow[], head: RunRow | null): Named | null {
  const candidates = alike(runs, head);
  const at = head === null ? -1 : candidates.indexOf(head);
  const older = candidates.slice(at + 1).filter(({ sha }) => sha === null || sha !== head?.sha);
  const run =
    older.find(({ profile }) => profile === head?.profile) ??
    older[0] ??
    candidates.find((other) => other !== head);
  return run === undefined ? null : ofRun(run);
}
