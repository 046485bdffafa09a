/** Positions of the dots of a chart of ratios, and their labels. Pure. */

import type { AnsweredRatio, AnsweredRow, PublishedAnswer } from "../../data/answers";
import { declared } from "../../data/metrics";
import { ABSENT } from "../../words/format";

/** What is known of a step, for a reader: a change for the better or the worse, or none. */
export type Tone = "better" | "worse" | "same" | "none";

export interface Dot {
  readonly row: AnsweredRow;
  readonly ratio: AnsweredRatio | null;
  readonly tone: Tone;
}

/** The metric that the chart shows: the first that was compared; null where none was. */
export function drawnMetric({ metrics, rows }: PublishedAnswer): string | null {
  return metrics.find((metric) => rows.some((row) => metric in (row.ratios ?? {}))) ?? null;
}

/** The steps of each subject, without the baseline, which is 1 by definition. */
export function dotsOf({ rows, baseline }: PublishedAnswer, metric: string): readonly Dot[] {
  return rows
    .filter((row) => row.step !== baseline)
    .map((row) => {
      const ratio = row.ratios?.[metric] ?? null;
      return { row, ratio, tone: toneOf(ratio, metric) };
    });
}

function toneOf(ratio: AnsweredRatio | null, metric: string): Tone {
  if (ratio === null) return "none";
  if (ratio.verdict !== "higher" && ratio.verdict !== "lower") return "same";
  return ratio.verdict === (declared(metric)?.better ?? "higher") ? "better" : "worse";
}

/** A part of a logarithmic axis: what is outside of it ends at its edge. */
export interface Scale {
  /** From 0 at the left to 1 at the right. */
  readonly positionOf: (ratio: number) => number;
  readonly ticks: readonly number[];
}

/** At least so far to either side: noise of a per cent must not fill the width. */
const LEAST = 1.05;
/** A wide interval may reach so far beyond the dots, and is cut off there. */
const BEYOND = 1.6;

export function scaleOf(dots: readonly Dot[]): Scale {
  const ratios = dots.flatMap(({ ratio }) => (ratio && ratio.ratio > 0 ? [ratio] : []));
  const [least, most] = [
    Math.min(1, ...ratios.map(({ ratio }) => ratio)),
    Math.max(1, ...ratios.map(({ ratio }) => ratio)),
  ];
  const low = Math.min(
    1 / LEAST,
    ...ratios.map((interval) => Math.max(interval.low ?? 1, least / BEYOND)),
  );
  const high = Math.max(
    LEAST,
    ...ratios.map((interval) => Math.min(interval.high ?? 1, most * BEYOND)),
  );
  const [from, to] = [Math.log(Math.min(low, least)), Math.log(Math.max(high, most))];
  const positionOf = (ratio: number) =>
    Math.max(0, Math.min(1, (Math.log(Math.max(ratio, Number.MIN_VALUE)) - from) / (to - from)));
  return { positionOf, ticks: ticksOf(Math.exp(from), Math.exp(to), positionOf) };
}

/** So far apart are two ticks at least, as a part of the width: their words need room. */
const APART = 0.15;
const NARROW = [0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 1.05, 1.1, 1.2, 1.3, 1.4, 1.5];
const WIDE = [-3, -2, -1, 0, 1, 2, 3].flatMap((power) =>
  [1, 2, 5].map((digit) => digit * 10 ** power),
);

/** Round ratios, 1 always among them. */
function ticksOf(
  from: number,
  to: number,
  positionOf: (ratio: number) => number,
): readonly number[] {
  const candidates = (to / from > 3 ? WIDE : NARROW).filter((tick) => tick >= from && tick <= to);
  const ticks = [1];
  // from the ends: they say how far the axis reaches
  for (const tick of candidates.toSorted((a, b) => Math.abs(Math.log(b)) - Math.abs(Math.log(a)))) {
    if (ticks.every((other) => Math.abs(positionOf(other) - positionOf(tick)) >= APART))
      ticks.push(tick);
  }
  return ticks.toSorted((a, b) => a - b);
}

/** Below, a share in per cent has a digit more, as in the terminal. */
const SMALL = 0.095;

/** `80`, `98.2`: a share of the baseline in per cent, as precise as another one. */
export function shareWords(ratio: number, like = ratio): string {
  if (!Number.isFinite(ratio)) return ABSENT;
  const digits = Math.abs(like - 1) < SMALL ? 1 : 0;
  const options = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  return (100 * ratio).toLocaleString("en", options);
}

/** `80 % [75, 85]`: a ratio with its interval. */
export function ratioWords({ ratio, low, high }: AnsweredRatio): string {
  const middle = `${shareWords(ratio)} %`;
  if (low == null || high == null) return middle;
  return `${middle} [${shareWords(low, ratio)}, ${shareWords(high, ratio)}]`;
}
