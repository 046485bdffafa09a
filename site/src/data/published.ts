/** Published runs and measured comparisons: the files behind a view of one run or of two commits. */

import type { ComparedFile } from "../generated/compared";
import type { PublishedComparison } from "../generated/published_comparison";
import type { PublishedRun } from "../generated/published_run";
import { fileName, type Index, SCHEMA_VERSION } from "./contract";
import { loadJson, Missing, Problem } from "./load";
import { loadPacked } from "./packed";
import { releaseOf } from "./releases";

export type { PublishedComparison, PublishedRun };
export type PublishedCase = PublishedRun["cases"][number];
export type Shard = PublishedRun["shards"][number];

const COMPARISON_SCHEMA = 1;
const COMPARED_SCHEMA = 1;
const EVIDENCE = "evidence.json.gz";

/** The file of a run, below `data/`. Throws a RangeError on a name that is no file's name. */
export function runPath(id: string): string {
  return `runs/${fileName(id)}.json.gz`;
}

/** A run as it was published. Throws a Problem. */
export async function loadRun(id: string): Promise<PublishedRun> {
  const path = named(() => runPath(id), id);
  return (await loadPacked(path, SCHEMA_VERSION)) as PublishedRun;
}

/**
 * The measured comparisons of exactly these two commits, newest first, in either direction.
 *
 * Which there are stands in `data/compared/`; in an older history, of events the index names the
 * file, and of others only what tells something is found.
 */
export async function measuredBetween(
  index: Index,
  base: string,
  head: string,
): Promise<readonly PublishedComparison[]> {
  const known = [...namedByEvents(index, base, head), ...(await listed(index, base, head))];
  const isOlder = (index.compared ?? []).length === 0;
  const found =
    known.length > 0 || !isOlder
      ? await Promise.all([...new Set(known)].map(loadComparison))
      : await loadEvidence();
  return found
    .flatMap((comparison) => facing(comparison, base, head) ?? [])
    .toSorted((a, b) => b.started_at.localeCompare(a.started_at));
}

/** The comparisons of the two that the lists of either name. */
async function listed(index: Index, base: string, head: string): Promise<readonly string[]> {
  const groups = new Set([base.slice(0, 2), head.slice(0, 2)]);
  const presentGroups = (index.compared ?? []).filter((group) => groups.has(group));
  const lists = await Promise.all(
    presentGroups.map((group) => loadJson(`compared/${fileName(group)}.json`, COMPARED_SCHEMA)),
  );
  return lists
    .flatMap((list) => (list as ComparedFile).comparisons)
    .filter((entry) => isBetween(entry, base, head))
    .map(({ id }) => id);
}

function isBetween(pair: { base: string; head: string }, base: string, head: string): boolean {
  return (
    (sameCommit(pair.base, base) && sameCommit(pair.head, head)) ||
    (sameCommit(pair.base, head) && sameCommit(pair.head, base))
  );
}

/** Whether two hashes name one commit: one may be longer than the other. */
export function sameCommit(one: string, other: string): boolean {
  const digits = Math.min(one.length, other.length);
  return digits >= 7 && one.slice(0, digits) === other.slice(0, digits);
}

function namedByEvents(index: Index, base: string, head: string): readonly string[] {
  const evidence = (index.events ?? []).flatMap((event) => event.evidence ?? []);
  const fits = evidence.filter((entry) => isBetween(entry, base, head));
  return [...new Set(fits.map((entry) => entry.comparison))];
}

async function loadComparison(id: string): Promise<PublishedComparison> {
  const path = named(() => `comparisons/${fileName(id)}.json.gz`, id);
  return (await loadPacked(path, COMPARISON_SCHEMA)) as PublishedComparison;
}

/** The comparisons between releases of Spring Boot; none where the history has no comparison. */
export async function loadReleaseComparisons({
  compared = [],
}: Index): Promise<readonly PublishedComparison[]> {
  // whoever publishes a comparison lists it
  return compared.length === 0 ? [] : (await loadEvidence()).filter(isOfReleases);
}

function isOfReleases({ base, head }: PublishedComparison): boolean {
  return releaseOf(base) !== null && releaseOf(head) !== null;
}

async function loadEvidence(): Promise<readonly PublishedComparison[]> {
  try {
    const file = (await loadPacked(EVIDENCE, COMPARISON_SCHEMA)) as {
      readonly comparisons: readonly PublishedComparison[];
    };
    return file.comparisons;
  } catch (problem) {
    if (problem instanceof Missing) return [];
    throw problem;
  }
}

/** The comparison with `base` as its base: as it is, or turned round; null where it is of others. */
export function facing(
  comparison: PublishedComparison,
  base: string,
  head: string,
): PublishedComparison | null {
  const [from, to] = [comparison.base.sha, comparison.head.sha];
  if (sameCommit(from, base) && sameCommit(to, head)) return comparison;
  return sameCommit(from, head) && sameCommit(to, base) ? turned(comparison) : null;
}

const OPPOSITE: Readonly<Record<string, PublishedComparison["findings"][number]["verdict"]>> = {
  regression: "improvement",
  improvement: "regression",
};

function turned(comparison: PublishedComparison): PublishedComparison {
  const { base: head, head: base } = comparison;
  return {
    ...comparison,
    base,
    head,
    findings: comparison.findings.map((finding) => ({
      ...finding,
      ratio: 1 / finding.ratio,
      low_ratio: 1 / finding.high_ratio,
      high_ratio: 1 / finding.low_ratio,
      verdict: OPPOSITE[finding.verdict] ?? finding.verdict,
    })),
    facts: (comparison.facts ?? []).map((fact) => ({
      ...fact,
      base: fact.head,
      head: fact.base,
      verdict: OPPOSITE[fact.verdict] ?? fact.verdict,
    })),
  };
}

/** A name that an address gives may be anything: one that is no file's name is simply not there. */
function named(path: () => string, id: string): string {
  try {
    return path();
  } catch {
    throw new Missing("problem.missing", { path: id.slice(0, 120) });
  }
}

/** What is worth a note, where the rest can be shown all the same: the problem, else thrown on. */
export function asNote(problem: unknown): Problem {
  if (problem instanceof Problem) return problem;
  throw problem;
}
