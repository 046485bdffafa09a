/** What another runtime gains and costs against a JVM, over all variants that have both. Pure. */

import type { MetricRow } from "../../data/contract";
import type { LatestRow } from "../../data/latest";
import { ratioOf } from "../../data/ratio";

/** What everything is held against. */
export const USUAL = "jvm";
/** A smaller difference is not worth a word. */
const NOTABLE = 0.03;

export type Effect = "gain" | "cost" | "none";

export interface ExchangeLine {
  readonly metric: string;
  readonly unit: string;
  /** The medians over the variants. */
  readonly before: number;
  readonly after: number;
  /** Other runtime ÷ JVM: the geometric mean over the variants. */
  readonly ratio: number;
  /** Of one variant its interval at 95 %, of several the least and the greatest; null if unknown. */
  readonly low: number | null;
  readonly high: number | null;
  readonly effect: Effect;
}

export interface Exchange {
  readonly runtime: string;
  /** How many variants have both. */
  readonly pairs: number;
  readonly lines: readonly ExchangeLine[];
}

type Pair = readonly [LatestRow, LatestRow];

/** One for each runtime beside the usual one that has a counterpart. */
export function exchangesOf(
  rows: readonly LatestRow[],
  metrics: readonly MetricRow[],
): readonly Exchange[] {
  const fine = rows.filter(({ status }) => status === "ok");
  const runtimes = [...new Set(fine.map((row) => row.case.runtime))];
  return runtimes.flatMap((runtime) => {
    const pairs = runtime === USUAL ? [] : pairsOf(fine, runtime);
    const lines = metrics.flatMap((metric) => lineOf(pairs, metric) ?? []);
    return lines.length > 0 ? [{ runtime, pairs: pairs.length, lines }] : [];
  });
}

function pairsOf(rows: readonly LatestRow[], runtime: string): readonly Pair[] {
  const key = ({ case: of }: LatestRow) => `${of.boot} ${of.server} ${of.model}`;
  const usual = new Map(
    rows.filter((row) => row.case.runtime === USUAL).map((row) => [key(row), row]),
  );
  return rows.flatMap((row) => {
    const other = row.case.runtime === runtime ? usual.get(key(row)) : undefined;
    return other === undefined ? [] : [[other, row] as const];
  });
}

function lineOf(pairs: readonly Pair[], { name, unit, better }: MetricRow): ExchangeLine | null {
  const values = pairs.flatMap(([usual, other]) => {
    const [before, after] = [usual.value(name), other.value(name)];
    const ratio = before !== null && after !== null ? ratioOf(before, after) : null;
    return before === null || after === null || ratio === null ? [] : [{ before, after, ratio }];
  });
  const [first] = values;
  if (first === undefined) return null;
  const ratios = values.map(({ ratio }) => ratio.ratio);
  const ratio = Math.exp(mean(ratios.map(Math.log)));
  const [low, high] =
    values.length === 1
      ? [first.ratio.low, first.ratio.high]
      : [Math.min(...ratios), Math.max(...ratios)];
  return {
    metric: name,
    unit,
    before: median(values.map(({ before }) => before.median)),
    after: median(values.map(({ after }) => after.median)),
    ratio,
    low,
    high,
    effect: effectOf(ratio, low, high, better),
  };
}

function effectOf(
  ratio: number,
  low: number | null,
  high: number | null,
  better: MetricRow["better"],
): Effect {
  const told = low !== null && high !== null && (low > 1 || high < 1);
  if (!told || Math.abs(ratio - 1) < NOTABLE) return "none";
  return ratio > 1 === (better === "higher") ? "gain" : "cost";
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const [one = 0, other = 0] = [
    sorted[Math.floor((sorted.length - 1) / 2)],
    sorted[Math.ceil((sorted.length - 1) / 2)],
  ];
  return (one + other) / 2;
}
