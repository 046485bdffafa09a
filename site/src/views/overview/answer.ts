/** Which variant serves most: the run's own ranking, its ties as ties. Pure. */

import { grouped } from "../../data/group";
import { isRanked, type LatestRow } from "../../data/latest";
import { type RankedRow, type RankOf, rankedRows } from "../../data/rankings";
import { subjectOf } from "../../data/service";

/** What limits a throughput that cannot grow: connections and the delay. */
const AT_THE_MAXIMUM = "latency";

/** Rows that answer one question: a workload at one number of connections. */
export interface Question {
  /** Whose it is, where several services were measured, or servers as well. */
  readonly service: string | null;
  readonly workload: string;
  readonly connections: number;
  readonly rows: readonly LatestRow[];
}

export type Answer =
  | { readonly kind: "nothing" }
  | {
      /** Not ranked, but some cannot be any faster. */
      readonly kind: "theoreticalMax";
      /** Those, and the others with the least of the theoretical maximum first. */
      readonly reach: readonly LatestRow[];
      readonly below: readonly LatestRow[];
    }
  /** A single row that counts. */
  | { readonly kind: "alone"; readonly row: LatestRow }
  /** Several that no run has ranked: the most and the least. */
  | { readonly kind: "unranked"; readonly most: LatestRow; readonly least: LatestRow }
  | {
      readonly kind: "best";
      /** The best and all that are tied with it. */
      readonly ties: readonly RankedRow[];
      /** The best of the others; null where all are tied. */
      readonly next: RankedRow | null;
    };

/**
 * The questions of a run: for each workload the number of connections that most variants have.
 * Services are no variants of one another: each has questions of its own.
 */
export function questions(rows: readonly LatestRow[]): readonly Question[] {
  const subject = subjectOf(rows.map((row) => row.case));
  const groups = grouped(
    rows,
    ({ case: caseRow }) => `${subject(caseRow) ?? ""} ${caseRow.workload} ${caseRow.connections}`,
  );
  const largest = new Map<string, Question>();
  for (const same of groups.values()) {
    const [first] = same;
    if (first === undefined) continue;
    const { workload, connections } = first.case;
    const service = subject(first.case);
    const key = `${service ?? ""} ${workload}`;
    const known = largest.get(key);
    if (known === undefined || known.rows.length < same.length) {
      largest.set(key, { service, workload, connections, rows: same });
    }
  }
  return [...largest.values()];
}

/** What the rows of a question say. */
export function answer({ rows }: Question, rankOf: RankOf): Answer {
  const counted = rows.filter(isRanked).toSorted((a, b) => rate(b) - rate(a));
  const [most, least] = [counted[0], counted.at(-1)];
  if (most === undefined || least === undefined) return { kind: "nothing" };
  const ranked = rankedRows(counted, rankOf);
  if (ranked.length > 1) {
    const ties = ranked.filter(({ rank }) => rank.first === 1);
    return {
      kind: "best",
      ties,
      next: ranked.find((rankedRow) => !ties.includes(rankedRow)) ?? null,
    };
  }
  const reach = counted.filter(({ bottleneck }) => bottleneck === AT_THE_MAXIMUM);
  if (reach.length > 0) {
    const below = counted.filter((row) => !reach.includes(row)).toReversed();
    return { kind: "theoreticalMax", reach, below };
  }
  return counted.length === 1 ? { kind: "alone", row: most } : { kind: "unranked", most, least };
}

/** Throughput ÷ what connections and delay allow; 0 where no delay sets a theoretical maximum. */
export function shareOfTheoreticalMax(row: LatestRow): number {
  return row.theoretical_max_rps ? rate(row) / row.theoretical_max_rps : 0;
}

/** Requests a second. */
export function rate(row: LatestRow): number {
  return row.median["throughput_rps"] ?? 0;
}
