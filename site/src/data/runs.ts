/** Runs as rows, from the index or from a month, and where a run of an older commit is found. */

import { type ClassRow, type Index, type Month, monthFile, SCHEMA_VERSION } from "./contract";
import { loadJson } from "./load";
import { sameCommit } from "./published";
import { newestMonths } from "./series";

/** One run, as a list of runs shows it. */
export interface RunRow {
  readonly id: string;
  readonly startedAt: string;
  /** When the commit was made; when the run began where there is no commit. */
  readonly time: string;
  readonly sha: string | null;
  readonly message: string;
  readonly author: string;
  readonly profile: string;
  readonly trigger: string;
  readonly marks: readonly string[];
  readonly ok: number;
  readonly failed: number;
  readonly url: string | null;
  readonly branch: string | null;
  /** The service that it measured; empty for servers of Spring Boot, null where nothing tells. */
  readonly service: string | null;
}

/** How many runs are offered where each host class has a list of its own. */
const OFFERED = 100;

/** The runs, newest first. */
export function runRows({ commits, runs }: Pick<Index, "commits" | "runs">): readonly RunRow[] {
  return runs.id.map((id, at) => rowAt(commits, runs, id, at)).toReversed();
}

function rowAt(commits: Index["commits"], runs: Index["runs"], id: string, at: number): RunRow {
  const commit = commits[runs.commit[at] ?? -1];
  const startedAt = runs.started_at[at] ?? "";
  return {
    id,
    startedAt,
    time: commit?.time ?? startedAt,
    sha: commit?.sha ?? null,
    message: commit?.message ?? "",
    author: commit?.author ?? "",
    profile: runs.profile[at] ?? "",
    trigger: runs.trigger[at] ?? "",
    marks: runs.marks[at] ?? [],
    ok: runs.ok[at] ?? 0,
    failed: runs.failed[at] ?? 0,
    url: runs.url[at] ?? null,
    branch: runs.branch[at] ?? null,
    service: runs.service?.[at] ?? null,
  };
}

/** The newest runs on the hosts of a class: the index does not say which of its runs these are. */
export async function loadRunsOf(index: Index, row: ClassRow): Promise<readonly RunRow[]> {
  if (index.classes.length === 1) return runRows(index);
  const months = newestMonths(row, OFFERED).toReversed();
  return (await Promise.all(months.map((month) => loadMonthRuns(row, month)))).flat();
}

/** Whether two runs may be of one service: as far as both tell it. */
export function mayBeOfOne(one: string | null, other: string | null): boolean {
  return one === null || other === null || one === other;
}

/**
 * The newest run of a commit, looked for month by month from the newest; null where there is none.
 * With `service`, of a run that may be of it.
 */
export async function findRun(
  row: ClassRow,
  sha: string,
  service: string | null = null,
): Promise<RunRow | null> {
  for (const { month } of row.months.toReversed()) {
    const runs = await loadMonthRuns(row, month);
    const found = runs.find(
      (run) => run.sha !== null && sameCommit(run.sha, sha) && mayBeOfOne(run.service, service),
    );
    if (found !== undefined) return found;
  }
  return null;
}

async function loadMonthRuns(row: ClassRow, month: string): Promise<readonly RunRow[]> {
  return runRows((await loadJson(monthFile(row.class, month), SCHEMA_VERSION)) as Month);
}
