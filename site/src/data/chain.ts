/** The chain of comparisons from each release to the next one, and what adds up along it. Pure. */

import { type Case, caseOf } from "./cases";
import { grouped } from "./group";
import type { PublishedComparison } from "./published";
import { inOrder, releaseOf } from "./releases";

export type Finding = PublishedComparison["findings"][number];
export type Fact = NonNullable<PublishedComparison["facts"]>[number];

/** What is known of a case between two neighbouring releases. */
export interface Link {
  readonly before: string;
  readonly after: string;
  /** Of the commits that were compared; null where nobody has compared them. */
  readonly shas: { readonly base: string; readonly head: string } | null;
  /** By metric. */
  readonly findings: ReadonlyMap<string, Finding>;
  readonly facts: ReadonlyMap<string, Fact>;
}

/** A case over the releases that it was compared with a neighbour in. */
export interface Chain {
  readonly case: Case;
  /** In order. */
  readonly versions: readonly string[];
  /** From each version to the next: one fewer. */
  readonly links: readonly Link[];
}

/** By which factor a release differs from another one, with its interval at 95 %. */
export interface Change {
  readonly ratio: number;
  readonly low: number;
  readonly high: number;
}

interface Pair {
  readonly before: string;
  readonly after: string;
  readonly comparison: PublishedComparison;
}

/**
 * A chain for each case. Which releases are neighbours, `springbench releases` has said by comparing
 * them as such; what was compared again, to check or to bisect, only renews a link. Where two were
 * compared several times the newest comparison counts: its verdict and its interval belong together,
 * and it may have been made to check the one before it.
 */
export function chainsOf(comparisons: readonly PublishedComparison[]): readonly Chain[] {
  const pairs = comparisons
    .filter(({ marks = [] }) => !marks.includes("drifted"))
    .toSorted((a, b) => (a.started_at < b.started_at ? -1 : 1))
    .flatMap(pairOf);
  const byCase = grouped(
    pairs.flatMap((pair) => casesIn(pair).map((id) => ({ id, pair }))),
    ({ id }) => id,
  );
  return [...byCase].flatMap(([id, entries]) => {
    const casePairs = entries.map(({ pair }) => pair);
    const neighbours = casePairs.filter(({ comparison }) => comparison.purpose === "push");
    const ends = neighbours.flatMap(({ before, after }) => [before, after]);
    const versions = [...new Set(ends)].toSorted(inOrder);
    const links = versions
      .slice(1)
      .map((after, at) => linkOf(id, versions[at] ?? "", after, casePairs));
    return versions.length > 0 ? [{ case: caseOf(id), versions, links }] : [];
  });
}

/** None where one of the two is no release, or the later one was the base. */
function pairOf(comparison: PublishedComparison): readonly Pair[] {
  const [before, after] = [releaseOf(comparison.base), releaseOf(comparison.head)];
  const isPair = before !== null && after !== null && inOrder(before, after) < 0;
  return isPair ? [{ before, after, comparison }] : [];
}

/** Also those of which only failures were counted; what is of a variant as a whole is of no case. */
function casesIn({ comparison: { findings, facts = [] } }: Pair): readonly string[] {
  const ids = [...findings, ...facts].map((result) => result.case);
  return [...new Set(ids)].filter((id) => id.includes("/"));
}

function linkOf(id: string, before: string, after: string, pairs: readonly Pair[]): Link {
  const same = pairs.filter((pair) => pair.before === before && pair.after === after);
  const newest = same.at(-1)?.comparison;
  const byMetric = <Result extends { case: string; metric: string }>(results: readonly Result[]) =>
    // of one metric the last in order, which is the newest
    new Map(
      results.filter((result) => result.case === id).map((result) => [result.metric, result]),
    );
  return {
    before,
    after,
    shas: newest ? { base: newest.base.sha, head: newest.head.sha } : null,
    findings: byMetric(same.flatMap(({ comparison }) => comparison.findings)),
    facts: byMetric(same.flatMap(({ comparison }) => comparison.facts ?? [])),
  };
}

const NONE: Change = { ratio: 1, low: 1, high: 1 };

/**
 * Of each release how it differs from `base`: changes multiply along the chain, and variances of
 * their logarithms add up. Null beyond a missing link, and for all where `base` is none of them.
 *
 * The half widths are added as if each had the same degrees of freedom. A sum has more of them than
 * its parts, so an interval of several links is a little wider than it need be.
 */
export function cumulated(chain: Chain, metric: string, base: string): readonly (Change | null)[] {
  const from = chain.versions.indexOf(base);
  const found: (Change | null)[] = chain.versions.map((_, at) => (at === from ? NONE : null));
  if (from < 0) return found;
  walk(chain.links.slice(from), 1, (at) => from + at + 1);
  walk(chain.links.slice(0, from).toReversed(), -1, (at) => from - at - 1);
  return found;

  function walk(links: readonly Link[], sign: 1 | -1, indexOf: (at: number) => number): void {
    let [sum, variance] = [0, 0];
    for (const [at, link] of links.entries()) {
      const finding = findingOf(link, metric);
      if (finding === null) return;
      sum += sign * Math.log(finding.ratio);
      variance += (Math.log(finding.high_ratio / finding.low_ratio) / 2) ** 2;
      const half = Math.sqrt(variance);
      found[indexOf(at)] = {
        ratio: Math.exp(sum),
        low: Math.exp(sum - half),
        high: Math.exp(sum + half),
      };
    }
  }
}

/** What a link says of a metric; null where that is nothing that adds up. */
export function findingOf({ findings }: Link, metric: string): Finding | null {
  const found = findings.get(metric);
  if (found === undefined) return null;
  const { ratio, low_ratio: low, high_ratio: high } = found;
  return 0 < low && low <= ratio && ratio <= high && high < Number.POSITIVE_INFINITY ? found : null;
}

/** The neighbours of which no comparison has this metric. */
export function missingLinks({ links }: Chain, metric: string): readonly Link[] {
  return links.filter((link) => findingOf(link, metric) === null);
}

/** The release that is asked for, where the chain has it; else that from which the most are reached. */
export function settleBase(chain: Chain, metric: string, requestedBase: string | null): string {
  const { versions } = chain;
  if (requestedBase !== null && versions.includes(requestedBase)) return requestedBase;
  const reached = (base: string) =>
    cumulated(chain, metric, base).filter((change) => change !== null).length;
  const most = Math.max(...versions.map(reached));
  return versions.find((version) => reached(version) === most) ?? "";
}
