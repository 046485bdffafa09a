/** What another runtime gains and costs against a JVM, over all variants that have both. Pure. */

import { geometricMean, median } from "../../data/averages";
import type { MetricRow } from "../../data/contract";
import type { LatestRow } from "../../data/latest";
import { isBefore, type RankOf } from "../../data/rankings";
import { ratioOf } from "../../data/ratio";

/** What everything is held against. */
export const USUAL = "jvm";
export type Effect = "gain" | "cost" | "none";

export interface ExchangeLine {
  readonly metric: string;
  readonly unit: string;
  /** The medians over the variants. */
  readonly before: number;
  readonly after: number;
  /** Other runtime ÷ JVM: the geometric mean over the variants. */
  readonly ratio: number;
  /** Of several variants the least and the greatest; null of one. */
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
  rankOf: RankOf,
): readonly Exchange[] {
  const fine = rows.filter(({ status }) => status === "ok");
  const runtimes = [...new Set(fine.map((row) => row.case.runtime))];
  return runtimes.flatMap((runtime) => {
    const pairs = runtime === USUAL ? [] : pairsOf(fine, runtime);
    const lines = metrics.flatMap((metric) => lineOf(pairs, metric, rankOf) ?? []);
    return lines.length > 0 ? [{ runtime, pairs: pairs.length, lines }] : [];
  });
}

function pairsOf(rows: readonly LatestRow[], runtime: string): readonly Pair[] {
  const key = ({ case: caseRow }: LatestRow) =>
    `${caseRow.boot} ${caseRow.server} ${caseRow.model}`;
  const usual = new Map(
    rows.filter((row) => row.case.runtime === USUAL).map((row) => [key(row), row]),
  );
  return rows.flatMap((row) => {
    const other = row.case.runtime === runtime ? usual.get(key(row)) : undefined;
    return other === undefined ? [] : [[other, row] as const];
  });
}

function lineOf(
  pairs: readonly Pair[],
  { name, unit }: MetricRow,
  rankOf: RankOf,
): ExchangeLine | null {
  const values = pairs.flatMap(([usual, other]) => {
    const [before, after] = [usual.value(name), other.value(name)];
    const ratio = before !== null && after !== null ? ratioOf(before, after) : null;
    if (before === null || after === null || ratio === null) return [];
    return [{ before, after, ratio, effect: effectOf(usual, other, name, rankOf) }];
  });
  const [first] = values;
  if (first === undefined) return null;
  const ratios = values.map(({ ratio }) => ratio);
  const ratio = geometricMean(ratios);
  const [low, high] =
    values.length === 1 ? [null, null] : [Math.min(...ratios), Math.max(...ratios)];
  return {
    metric: name,
    unit,
    before: median(values.map(({ before }) => before.median)),
    after: median(values.map(({ after }) => after.median)),
    ratio,
    low,
    high,
    effect: together(values.map(({ effect }) => effect)),
  };
}

/** What holds for some variants and is the other way round for none. */
function together(effects: readonly Effect[]): Effect {
  const [gains, costs] = [effects.includes("gain"), effects.includes("cost")];
  if (gains === costs) return "none";
  return gains ? "gain" : "cost";
}

/** As the run ranked the two. */
function effectOf(usual: LatestRow, other: LatestRow, metric: string, rankOf: RankOf): Effect {
  const [before, after] = [rankOf(usual, metric), rankOf(other, metric)];
  if (before === null || after === null) return "none";
  if (isBefore(after, before)) return "gain";
  return isBefore(before, after) ? "cost" : "none";
}
