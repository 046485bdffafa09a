/** The rankings that runs concluded, as they were published. Pure. */

import type { LatestRow } from "./latest";
import type { PublishedRun } from "./published";

export const THROUGHPUT = "throughput_rps";

export type Ranking = NonNullable<PublishedRun["rankings"]>[number];

/** A case in a ranking. */
export interface Rank {
  readonly ranking: Ranking;
  /** Its place in the order, 0 for the best. */
  readonly position: number;
  /** The ranks that it may have; who may be first is tied with the best. */
  readonly first: number;
  readonly last: number;
  /** To the best, with its interval; of other metrics than throughput no interval is published. */
  readonly ratio: number;
  readonly low: number;
  readonly high: number;
}

/** The ranks of a metric, by the place of a case in its run. */
export function ranksIn(run: PublishedRun, metric: string): ReadonlyMap<number, Rank> {
  const rankings = (run.rankings ?? []).filter((ranking) => ranking.metric === metric);
  return new Map(
    rankings.flatMap((ranking) =>
      ranking.case.flatMap((at, position) => {
        const [first, last, ratio] = [ranking.first, ranking.last, ranking.ratio].map(
          (column) => column[position],
        );
        if (first == null || last == null || ratio == null) return [];
        const [low = ratio, high = ratio] = [ranking.low?.[position], ranking.high?.[position]];
        return [[at, { ranking, position, first, last, ratio, low, high }] as const];
      }),
    ),
  );
}

/** What names a row of a run. */
export interface RowOfRun {
  readonly run: string;
  readonly case: Pick<LatestRow["case"], "case" | "configuration">;
}

/** The rank of a row in the run that it is of; null where that run has not ranked it. */
export type RankOf = (row: RowOfRun, metric?: string) => Rank | null;

/** Looks up ranks in these runs. */
export function rankLookup(runs: readonly PublishedRun[]): RankOf {
  const found = new Map<string, ReadonlyMap<number, Rank>>();
  return (row, metric = THROUGHPUT) => {
    const run = runs.find(({ id }) => id === row.run);
    if (run === undefined) return null;
    const at = run.cases.findIndex(
      (publishedCase) =>
        publishedCase.case === row.case.case &&
        publishedCase.configuration === row.case.configuration,
    );
    const key = `${run.id} ${metric}`;
    const ranks = found.get(key) ?? ranksIn(run, metric);
    found.set(key, ranks);
    return ranks.get(at) ?? null;
  };
}

/** A row of a ranking. */
export interface RankedRow {
  readonly row: LatestRow;
  readonly rank: Rank;
}

/**
 * The rows in the order of the ranking that has most of them, the newest of several. What was
 * measured in another run is not in it.
 */
export function rankedRows(
  rows: readonly LatestRow[],
  rankOf: RankOf,
  metric = THROUGHPUT,
): readonly RankedRow[] {
  const ranked = rows.flatMap((row) => {
    const rank = rankOf(row, metric);
    return rank === null ? [] : [{ row, rank }];
  });
  const groups = new Map<Ranking, RankedRow[]>();
  for (const rankedRow of ranked) {
    groups.set(rankedRow.rank.ranking, [...(groups.get(rankedRow.rank.ranking) ?? []), rankedRow]);
  }
  const newest = (same: readonly RankedRow[]) => same[0]?.row.startedAt ?? "";
  const [most = []] = [...groups.values()].toSorted(
    (a, b) => b.length - a.length || newest(b).localeCompare(newest(a)),
  );
  return most.toSorted((a, b) => a.rank.position - b.rank.position);
}

/** `1`, or `2–5`. */
export function rankRange({ first, last }: Rank): string {
  return first === last ? `${first}` : `${first}–${last}`;
}

/** Whether one is surely before the other: their rank ranges have no rank in common. */
export function isBefore(one: Rank, other: Rank): boolean {
  return one.ranking === other.ranking && one.last < other.first;
}

/** What is to be said of the hosts of runs, each sentence once. */
export function hostWarnings(runs: readonly PublishedRun[]): readonly string[] {
  return [
    ...new Set(runs.flatMap(({ shards }) => shards.flatMap((shard) => shard.warnings ?? []))),
  ];
}
