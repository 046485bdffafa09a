/** The cases of a run as rows, in groups that may be read side by side. Pure. */

import type { Fields } from "../../data/export";
import { grouped } from "../../data/group";
import { metricsIn } from "../../data/metrics";
import type { PublishedCase, PublishedRun } from "../../data/published";
import { type Value, valueAt } from "../../data/values";
import type { DeclaredMetric } from "../../generated/metrics";

export interface CaseLine {
  readonly of: PublishedCase;
  readonly value: (metric: string) => Value | null;
}

export function caseLines(run: PublishedRun): readonly CaseLine[] {
  return run.cases.map((of, at) => ({
    of,
    value: (metric) => valueAt(run.metrics, metric, at, of.n),
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

/** By workload, each by connections, then the best throughput first. */
export function byWorkload(lines: readonly CaseLine[]): ReadonlyMap<string, readonly CaseLine[]> {
  const groups = grouped(lines, ({ of }) => of.workload);
  const rate = ({ value }: CaseLine) => value("throughput_rps")?.median ?? -1;
  const sorted = [...groups].map(([workload, same]) => {
    const ordered = same.toSorted(
      (a, b) => a.of.connections - b.of.connections || rate(b) - rate(a),
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

export interface NoteRow {
  readonly text: string;
  readonly of: readonly PublishedCase[];
}

/** Each note once, with the cases that it is said of. */
export function notesOf(lines: readonly CaseLine[]): readonly NoteRow[] {
  const said = lines.flatMap(({ of }) => (of.notes ?? []).map((text) => ({ text, of })));
  return [...grouped(said, ({ text }) => text)].map(([text, same]) => ({
    text,
    of: same.map(({ of }) => of),
  }));
}

/** A case as it goes into a file, with every metric that the run has. */
export function exportedCase(run: PublishedRun, { of, value }: CaseLine): Fields {
  const metrics = Object.keys(run.metrics).flatMap((metric) => {
    const found = value(metric);
    return [
      [metric, found?.median ?? null],
      [`${metric}_low`, found?.low ?? null],
      [`${metric}_high`, found?.high ?? null],
    ];
  });
  return {
    case: of.case,
    conditions: of.conditions,
    status: of.status,
    reason: of.reason ?? null,
    bound: of.bound ?? null,
    forks: of.n,
    ideal_rps: of.ideal_rps ?? null,
    warnings: of.warnings.join(" "),
    ...Object.fromEntries(metrics),
  };
}
