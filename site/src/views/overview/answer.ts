/** Which variant serves most: an answer that tells ties as ties. Pure. */

import { grouped } from "../../data/group";
import { isRanked, type LatestRow } from "../../data/latest";
import { subjectOf } from "../../data/service";

/** Single forks of one build differ by about so much; without an interval nothing finer is said. */
export const ONE_FORK = 0.1;
/** Of the ideal: what is closer has nothing left to gain. */
export const AT_IDEAL = 0.995;

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
      readonly kind: "ideal";
      /** Those that reach it, and the others with the least of it first. */
      readonly reach: readonly LatestRow[];
      readonly below: readonly LatestRow[];
    }
  | {
      readonly kind: "best";
      /** The best and all that cannot be told from it. */
      readonly ties: readonly LatestRow[];
      /** The best of the others; null where all are tied. */
      readonly next: LatestRow | null;
    };

/**
 * The questions of a run: for each workload the number of connections that most variants have.
 * Services are no variants of one another: each has questions of its own.
 */
export function questions(rows: readonly LatestRow[]): readonly Question[] {
  const subject = subjectOf(rows.map((row) => row.case));
  const groups = grouped(
    rows,
    ({ case: of }) => `${subject(of) ?? ""} ${of.workload} ${of.connections}`,
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
export function answer({ rows }: Question): Answer {
  const ranked = rows.filter(isRanked).toSorted((a, b) => rate(b) - rate(a));
  const [best] = ranked;
  if (best === undefined) return { kind: "nothing" };
  const reach = ranked.filter((row) => shareOfIdeal(row) >= AT_IDEAL);
  if (reach.length > 0) {
    const below = ranked.filter((row) => !reach.includes(row)).toReversed();
    return { kind: "ideal", reach, below };
  }
  const lowest = edges(best).low;
  const ties = ranked.filter((row) => edges(row).high >= lowest);
  return { kind: "best", ties, next: ranked.find((row) => !ties.includes(row)) ?? null };
}

/** Throughput ÷ what connections and delay allow; 0 where no delay sets an ideal. */
export function shareOfIdeal(row: LatestRow): number {
  return row.ideal_rps ? rate(row) / row.ideal_rps : 0;
}

/** Requests a second. */
export function rate(row: LatestRow): number {
  return row.median["throughput_rps"] ?? 0;
}

function edges(row: LatestRow) {
  return (
    row.interval ?? { low: rate(row) * (1 - ONE_FORK / 2), high: rate(row) * (1 + ONE_FORK / 2) }
  );
}
