/** The cases of a run as rows, in groups that may be read side by side. Pure. */

import type { Fields } from "../../data/export";
import { grouped } from "../../data/group";
import { metricsIn } from "../../data/metrics";
import type { PublishedCase, PublishedRun } from "../../data/published";
import { type Rank, type Ranking, ranksIn, THROUGHPUT } from "../../data/rankings";
import { type Value, valueAt } from "../../data/values";
import type { DeclaredMetric } from "../../generated/metrics";

export interface CaseLine {
  readonly case: PublishedCase;
  readonly value: (metric: string) => Value | null;
  /** By its throughput; null where the run has not ranked it. */
  readonly rank: Rank | null;
}

export function caseLines(run: PublishedRun): readonly CaseLine[] {
  const ranks = ranksIn(run, THROUGHPUT);
  return run.cases.map((measuredCase, at) => ({
    case: measuredCase,
    value: (metric) => valueAt(run.metrics, metric, at, measuredCase.n),
    rank: ranks.get(at) ?? null,
  }));
}

/** The columns that at least one of the rows has something to show in. */
export function columnsOf(lines: readonly CaseLine[]): readonly DeclaredMetric[] {
  return metricsIn("run").filter((metric) =>
    lines.some(({ value }) => tells(metric, value(metric.name))),
  );
}

/** That nothing failed is no column. */
function tells({ silent_at_zero }: DeclaredMetric, value: Value | null): boolean {
  return value !== null && (!silent_at_zero || value.high > 0);
}

/** By workload, each by connections, then in the order of the ranking; what has none comes last. */
export function byWorkload(lines: readonly CaseLine[]): ReadonlyMap<string, readonly CaseLine[]> {
  const groups = grouped(lines, ({ case: measuredCase }) => measuredCase.workload);
  const rate = ({ value }: CaseLine) => value(THROUGHPUT)?.median ?? -1;
  const position = ({ rank }: CaseLine) => rank?.position ?? Number.MAX_SAFE_INTEGER;
  const sorted = [...groups].map(([workload, same]) => {
    const ordered = same.toSorted(
      (a, b) =>
        a.case.connections - b.case.connections || position(a) - position(b) || rate(b) - rate(a),
    );
    return [workload, ordered] as const;
  });
  return new Map(sorted);
}

export interface WarningRow {
  readonly code: string;
  readonly cases: number;
}

/** The warnings of all cases, the most frequent first. */
export function warningsOf({ cases }: PublishedRun): readonly WarningRow[] {
  const codes = cases.flatMap(({ warnings }) => [...new Set(warnings)]);
  return [...grouped(codes, (code) => code)]
    .map(([code, same]) => ({ code, cases: same.length }))
    .toSorted((a, b) => b.cases - a.cases || a.code.localeCompare(b.code, "en"));
}

/** The rankings that the lines stand in, each once. */
export function rankingsOf(lines: readonly CaseLine[]): ReadonlyMap<Ranking, readonly CaseLine[]> {
  const ranked = lines.filter(({ rank }) => rank !== null);
  return new Map(
    [...new Set(ranked.flatMap(({ rank }) => rank?.ranking ?? []))].map((ranking) => [
      ranking,
      ranked.filter(({ rank }) => rank?.ranking === ranking),
    ]),
  );
}

/** A case as it goes into a file, with every metric that the run has. */
export function exportedCase(
  run: PublishedRun,
  { case: measuredCase, value, rank }: CaseLine,
): Fields {
  const metrics = Object.keys(run.metrics).flatMap((metric) => {
    const found = value(metric);
    return [
      [metric, found?.median ?? null],
      [`${metric}_low`, found?.low ?? null],
      [`${metric}_high`, found?.high ?? null],
    ];
  });
  return {
    case: measuredCase.case,
    configuration: measuredCase.configuration,
    status: measuredCase.status,
    reason: measuredCase.reason ?? null,
    bottleneck: measuredCase.bottleneck ?? null,
    forks: measuredCase.n,
    theoretical_max_rps: measuredCase.theoretical_max_rps ?? null,
    rank_first: rank?.first ?? null,
    rank_last: rank?.last ?? null,
    ratio_to_best: rank?.ratio ?? null,
    ratio_to_best_low: rank?.low ?? null,
    ratio_to_best_high: rank?.high ?? null,
    warnings: measuredCase.warnings.join(" "),
    ...Object.fromEntries(metrics),
  };
}
