/** What is known of the difference between two ends: a measured comparison, else their runs. */

import type { ClassRow, Index } from "../../data/contract";
import { Missing, Problem } from "../../data/load";
import {
  loadRun,
  measuredBetween,
  type PublishedComparison,
  type PublishedRun,
} from "../../data/published";
import { findRun } from "../../data/runs";
import { serviceOfRun } from "../../data/service";
import { type Ends, isSha, type Named } from "./settle";

export type Found =
  | {
      readonly kind: "measured";
      readonly comparisons: readonly PublishedComparison[];
    }
  | {
      readonly kind: "runs";
      readonly base: PublishedRun;
      readonly head: PublishedRun;
      /** Whether measured comparisons are there as well. */
      readonly measured: boolean;
      /** Why it is not known whether there is a measured comparison. */
      readonly notSearched: Problem | null;
    }
  | { readonly kind: "absent"; readonly name: string };

/** Looks for both; `preferRuns` where a reader asked for the runs though there is a comparison. */
export async function find(
  index: Index,
  row: ClassRow,
  { base, head }: Ends,
  preferRuns: boolean,
): Promise<Found> {
  const measured = await measuredOrProblem(index, base, head);
  const comparisons = measured instanceof Problem ? [] : onOneClass(measured, row);
  if (comparisons.length > 0 && !preferRuns) return { kind: "measured", comparisons };
  const one = await runOf(row, base, head.run?.service ?? null);
  if (one === null) return { kind: "absent", name: base.name };
  const other = await runOf(row, head, base.run?.service ?? serviceOfRun(one));
  if (other === null) return { kind: "absent", name: head.name };
  const notSearched = measured instanceof Problem ? measured : null;
  return { kind: "runs", base: one, head: other, measured: comparisons.length > 0, notSearched };
}

async function measuredOrProblem(index: Index, base: Named, head: Named) {
  if (base.sha === null || head.sha === null) return [];
  try {
    return await measuredBetween(index, base.sha, head.sha);
  } catch (problem) {
    if (problem instanceof Problem) return problem;
    throw problem;
  }
}

/** Comparisons of one host class: of the one that is looked at, else of the newest comparison. */
function onOneClass(
  all: readonly PublishedComparison[],
  row: ClassRow,
): readonly PublishedComparison[] {
  const hostComparisons = all.filter(({ host }) => host.class === row.class);
  return hostComparisons.length > 0
    ? hostComparisons
    : all.filter(({ host }) => host.class === all[0]?.host.class);
}

async function runOf(
  row: ClassRow,
  named: Named,
  service: string | null,
): Promise<PublishedRun | null> {
  const { run, name } = named;
  const id = run?.id ?? (isSha(name) ? await olderRun(row, name, service) : name);
  if (id === null) return null;
  try {
    return await loadRun(id);
  } catch (problem) {
    // a run that a list names should be there: that is worth saying as it is
    if (problem instanceof Missing && named.run === null) return null;
    throw problem;
  }
}

async function olderRun(
  row: ClassRow,
  sha: string,
  service: string | null,
): Promise<string | null> {
  return (await findRun(row, sha, service))?.id ?? null;
}
