/** What differs and is no ratio of noisy numbers: failures, and what limits a throughput. Pure. */

import { caseNamed } from "../../data/cases";
import type { CaseRow, Index } from "../../data/contract";
import type { PublishedComparison, PublishedRun } from "../../data/published";
import type { Verdict } from "./ratio";
import { type Side, verdictNamed } from "./rows";

export interface Fact {
  readonly case: CaseRow;
  /** `failed`, `bottleneck` and others that comparisons know. */
  readonly what: string;
  readonly base: string;
  readonly head: string;
  readonly verdict: Verdict;
  readonly note: string | null;
}

/** A case that failed on one side alone, or was bottleneck something else there. */
export function factsOf(base: Side, head: Side): readonly Fact[] {
  const caseRow = head.case;
  if (base.status !== head.status) {
    const sides = { base: base.status, head: head.status };
    return [
      { case: caseRow, what: "status", ...sides, verdict: statusVerdict(base, head), note: null },
    ];
  }
  if (base.bottleneck === head.bottleneck || base.bottleneck === null || head.bottleneck === null)
    return [];
  const sides = { base: base.bottleneck, head: head.bottleneck };
  return [{ case: caseRow, what: "bottleneck", ...sides, verdict: "changed", note: null }];
}

function statusVerdict(base: Side, head: Side): Verdict {
  if (base.status === "ok" && head.status === "failed") return "worse";
  if (base.status === "failed" && head.status === "ok") return "better";
  return "unknown";
}

/** The facts of measured comparisons that say something; each once. */
export function measuredFacts(
  index: Index,
  comparisons: readonly PublishedComparison[],
): readonly Fact[] {
  const found = new Map<string, Fact>();
  for (const fact of comparisons.flatMap(({ facts }) => facts ?? [])) {
    const key = `${fact.case} ${fact.metric}`;
    if (fact.verdict === "unchanged" || found.has(key)) continue;
    found.set(key, {
      case: caseNamed(index, fact.case),
      what: fact.metric,
      base: fact.base,
      head: fact.head,
      verdict: verdictNamed(fact.verdict),
      note: fact.note ?? null,
    });
  }
  return [...found.values()];
}

export interface Difference {
  readonly what: string;
  readonly base: string;
  readonly head: string;
}

/** What of hosts and tools was another in the two runs: each may shift a level by itself. */
export function differences(base: PublishedRun, head: PublishedRun): readonly Difference[] {
  const [before, after] = [softwareOf(base), softwareOf(head)];
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((what) => {
    const [one, other] = [valuesText(before.get(what)), valuesText(after.get(what))];
    return one === other ? [] : [{ what, base: one, head: other }];
  });
}

function valuesText(values: Set<string> | undefined): string {
  return [...(values ?? [])].toSorted().join(", ");
}

function softwareOf(run: PublishedRun): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const { host, tools } of run.shards) {
    const { boots = {}, ...programs } = tools;
    const named = { kernel: host.kernel, os: host.os, ...programs, ...boots };
    for (const [what, value] of Object.entries(named)) {
      if (typeof value !== "string") continue;
      found.set(what, (found.get(what) ?? new Set()).add(value));
    }
  }
  return found;
}
