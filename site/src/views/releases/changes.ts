/** What comparisons of neighbouring releases found, over all loads, the largest first. Pure. */

import type { Case } from "../../data/cases";
import { type Chain, type Fact, type Finding, findingOf, type Link } from "../../data/chain";
import { grouped } from "../../data/group";
import { METRICS } from "../../generated/metrics";

/** What became better, or worse, in a case from one release to the next. */
export interface FoundChange {
  readonly case: Case;
  readonly before: string;
  readonly after: string;
  readonly worse: boolean;
  /** Else it is suspected. */
  readonly confirmed: boolean;
  /** In the order in which metrics are declared: throughput before what explains it. */
  readonly findings: readonly Finding[];
  readonly facts: readonly Fact[];
}

type Verdict = Finding["verdict"];
const CONFIRMED: ReadonlySet<Verdict> = new Set(["regression", "improvement"]);

/** Whether a verdict says that something became better or worse. */
export function isChange(verdict: Verdict): boolean {
  return CONFIRMED.has(verdict) || verdict === "suspected";
}

/** Whether a comparison is sure of it. */
export function isConfirmed(verdict: Verdict): boolean {
  return CONFIRMED.has(verdict);
}

/** Whether a change is for the worse. */
export function isWorse({ better, ratio }: Pick<Finding, "better" | "ratio">): boolean {
  return better === "lower" ? ratio > 1 : ratio < 1;
}

/** The changes of these chains: of a case and a step those in one direction, and as sure, as one. */
export function changesOf(chains: readonly Chain[]): readonly FoundChange[] {
  const found = chains.flatMap(({ case: measuredCase, links }) =>
    links.flatMap((link) => ofLink(measuredCase, link)),
  );
  return found.toSorted((a, b) => size(b) - size(a));
}

function ofLink(measuredCase: Case, link: Link): readonly FoundChange[] {
  const findings = [...link.findings.keys()]
    .flatMap((metric) => findingOf(link, metric) ?? [])
    .map((finding) => ({ finding, worse: isWorse(finding), verdict: finding.verdict }));
  const facts = [...link.facts.values()].map((fact) => ({
    fact,
    worse: fact.worse ?? fact.verdict === "regression",
    verdict: fact.verdict,
  }));
  const entries: readonly {
    readonly worse: boolean;
    readonly verdict: Verdict;
    readonly finding?: Finding;
    readonly fact?: Fact;
  }[] = [...findings, ...facts].filter(({ verdict }) => isChange(verdict));
  const alike = grouped(entries, ({ worse, verdict }) => `${worse} ${isConfirmed(verdict)}`);
  return [...alike.values()].map((all) => ({
    case: measuredCase,
    before: link.before,
    after: link.after,
    worse: all[0]?.worse ?? false,
    confirmed: all.some(({ verdict }) => isConfirmed(verdict)),
    findings: all
      .flatMap(({ finding = [] }) => finding)
      .toSorted((a, b) => position(a) - position(b)),
    facts: all.flatMap(({ fact = [] }) => fact),
  }));
}

function position({ metric }: Finding): number {
  const at = METRICS.findIndex(({ name }) => name === metric);
  return at < 0 ? METRICS.length : at;
}

function effect({ ratio }: Finding): number {
  return Math.abs(Math.log(ratio));
}

/** Of the metric that stands first; what was counted, as failures, comes before all that is estimated. */
function size({ facts, findings: [first] }: FoundChange): number {
  if (facts.length > 0) return Number.MAX_VALUE;
  return first ? effect(first) : 0;
}
