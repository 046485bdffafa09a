/** The published runs that rows are of: what these concluded stands there. */

import { loadRun, type PublishedRun } from "../data/published";
import { type RankOf, rankLookup } from "../data/rankings";
import { useLoaded } from "./loaded";

export interface RunFiles {
  /** Whether they are still on their way. */
  readonly waiting: boolean;
  readonly runs: readonly PublishedRun[];
  readonly rankOf: RankOf;
  /** Why one of them could not be read; null where all could. */
  readonly problem: unknown;
}

const NOTHING: RunFiles = { waiting: false, runs: [], rankOf: () => null, problem: null };

/** The runs of these rows. Each by itself: a run that is broken costs its own rows. */
export function useRunFiles(rows: readonly { readonly run: string }[]): RunFiles {
  const ids = [...new Set(rows.map(({ run }) => run))];
  const loaded = useLoaded(ids.join(" "), () => readRuns(ids));
  if (loaded.state === "waiting") return { ...NOTHING, waiting: true };
  return loaded.state === "here" ? loaded.value : { ...NOTHING, problem: loaded.problem };
}

async function readRuns(ids: readonly string[]): Promise<RunFiles> {
  const settled = await Promise.allSettled(ids.map(loadRun));
  const runs = settled.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
  const problem = settled.find((result) => result.status === "rejected")?.reason ?? null;
  return { waiting: false, runs, rankOf: rankLookup(runs), problem };
}
