/** Rows of a comparison: a metric of a case on both sides, or what a measured comparison found. Pure. */

import { caseNamed } from "../../data/cases";
import type { CaseRow, ClassRow, Index } from "../../data/contract";
import { declared } from "../../data/metrics";
import type { PublishedCase, PublishedComparison, PublishedRun } from "../../data/published";
import { ratioOf } from "../../data/ratio";
import { type Value, valueAt } from "../../data/values";
import type { Conclude } from "./conclusions";
import type { Better, Evaluated, Verdict } from "./ratio";

export interface ComparedRow extends Evaluated {
  readonly case: CaseRow;
  readonly metric: string;
  readonly unit: string;
  readonly better: Better;
  /** Null where it is not known: a measured comparison publishes ratios alone. */
  readonly base: Value | null;
  readonly head: Value | null;
  /** Of a measured comparison: how many pairs of forks. */
  readonly pairs: number | null;
  /** What the comparison says of its verdict. */
  readonly note?: string | null;
}

/** A metric of the published data, as far as rows need it. */
export type Metric = Index["metrics"][number];

/** Without those that say why a number is as it is, and are no result by themselves. */
export function comparedMetrics({ metrics }: Index): readonly Metric[] {
  return metrics.filter(({ name }) => !declared(name)?.explains);
}

/** One side of a case: what was measured, and what is known of it. */
export interface Side {
  readonly case: CaseRow;
  readonly status: string;
  readonly bottleneck: string | null;
  readonly hostClass: string;
  readonly run: string;
  readonly value: (metric: string) => Value | null;
}

/** The cases of a run, as sides. */
export function sidesOf(run: PublishedRun): readonly Side[] {
  return run.cases.map((measuredCase, at) => ({
    case: measuredCase,
    status: measuredCase.status,
    bottleneck: measuredCase.bottleneck ?? null,
    hostClass: hostClassOf(run, measuredCase),
    run: run.id,
    value: (metric) => valueAt(run.metrics, metric, at, measuredCase.n),
  }));
}

export function hostClassOf(run: PublishedRun, measuredCase: PublishedCase): string {
  return run.shards[measuredCase.shard]?.host.class ?? "";
}

/** The newest points of a variant on the hosts of a class, as sides. */
export function latestSides(index: Index, row: ClassRow, variant: string): readonly Side[] {
  const { latest } = row;
  return latest.row.flatMap((which, at) => {
    const caseRow = index.cases[which];
    if (caseRow === undefined || variantIn(caseRow.case) !== variant) return [];
    const side: Side = {
      case: caseRow,
      status: latest.status[at] ?? "",
      bottleneck: latest.bottleneck[at] ?? null,
      hostClass: row.class,
      run: latest.run[at] ?? "",
      value: (metric) => valueAt(latest.metrics, metric, at, latest.n[at] ?? 0),
    };
    return [side];
  });
}

/** The variant that a case's name begins with. */
export function variantIn(caseId: string): string {
  return caseId.split("/", 1)[0] ?? "";
}

/** A row for each metric that one of two sides has. */
export function rowsOf(
  base: Side,
  head: Side,
  metrics: readonly Metric[],
  conclude: Conclude,
): readonly ComparedRow[] {
  return metrics.flatMap((metric) => {
    const values = { base: base.value(metric.name), head: head.value(metric.name) };
    if (values.base === null && values.head === null) return [];
    return [
      {
        case: head.case,
        metric: metric.name,
        unit: metric.unit,
        better: metric.better,
        pairs: null,
        ...values,
        ...evaluatedSides(base, head, metric, values, conclude),
      },
    ];
  });
}

function evaluatedSides(
  base: Side,
  head: Side,
  metric: Metric,
  values: { readonly base: Value | null; readonly head: Value | null },
  conclude: Conclude,
): Evaluated {
  const nothing = { ratio: null, verdict: "unknown" } as const;
  if (base.status !== "ok" || head.status !== "ok") return { ...nothing, why: "failed" };
  if (values.base === null || values.head === null) return { ...nothing, why: "absent" };
  const ratio = ratioOf(values.base, values.head);
  return {
    ratio: ratio === null ? null : { ratio, low: null, high: null },
    ...conclude(base, head, metric),
  };
}

const VERDICTS: Readonly<Record<string, Verdict>> = {
  regression: "worse",
  suspected: "suspected",
  improvement: "better",
  changed: "changed",
  unchanged: "same",
};

export function verdictNamed(verdict: string): Verdict {
  return Object.hasOwn(VERDICTS, verdict) ? (VERDICTS[verdict] ?? "unknown") : "unknown";
}

/** What measured comparisons of two commits found; of several the one with most pairs counts. */
export function measuredRows(
  index: Index,
  comparisons: readonly PublishedComparison[],
): readonly ComparedRow[] {
  const found = new Map<string, ComparedRow>();
  for (const finding of comparisons.flatMap(({ findings }) => findings)) {
    const key = `${finding.case} ${finding.metric}`;
    if ((found.get(key)?.pairs ?? 0) >= finding.pairs) continue;
    const verdict = verdictNamed(finding.verdict);
    found.set(key, {
      case: caseNamed(index, finding.case),
      metric: finding.metric,
      unit: finding.unit,
      better: finding.better,
      base: null,
      head: null,
      pairs: finding.pairs,
      ratio: { ratio: finding.ratio, low: finding.low_ratio, high: finding.high_ratio },
      verdict,
      why: verdict === "unknown" ? "wide" : null,
      note: finding.note ?? null,
    });
  }
  return [...found.values()];
}
