/** What published studies printed, beside the newest that was measured here. Pure. */

import figures from "../generated/studies.json";
import { median } from "./averages";
import type { LatestRow } from "./latest";
import type { Value } from "./values";

/** One printed figure, in the base unit of its metric; several values are repetitions. */
export interface Figure {
  readonly boot: string;
  readonly server: string;
  readonly model: string;
  readonly runtime: string;
  /** Left out where a figure is of the process, whatever its load. */
  readonly workload?: string;
  readonly connections?: number;
  readonly metric: string;
  readonly unit: string;
  readonly values: readonly number[];
  /** The study gives a round number. */
  readonly about?: boolean;
}

/** Where and how a study measured; what it does not say is left out. */
export interface Setting {
  readonly machine?: string;
  readonly memory_limit_bytes?: number;
  readonly boot_version?: string;
  readonly jdk?: string;
  readonly tool?: string;
  readonly duration_s?: number;
}

export interface Study {
  readonly id: string;
  /** The profile that repeats it. */
  readonly profile: string;
  readonly setting: Setting;
  readonly figures: readonly Figure[];
}

export const STUDIES: readonly Study[] = figures;

export interface Pair {
  readonly figure: Figure;
  /** The middle of what was printed. */
  readonly published: number;
  /** The newest case that comes nearest; null where none was measured. */
  readonly row: LatestRow | null;
  readonly measured: Value | null;
  /** Measured ÷ published; null where no number can say it. */
  readonly ratio: number | null;
}

/** Each figure with its counterpart: same server, model and load, the runtime and the line if may be. */
export function pairsOf(figures: readonly Figure[], rows: readonly LatestRow[]): readonly Pair[] {
  return figures.map((figure) => {
    const row = nearest(figure, rows);
    const measured = row?.value(figure.metric) ?? null;
    const published = median(figure.values);
    const ratio = measured === null ? Number.NaN : measured.median / published;
    return { figure, published, row, measured, ratio: Number.isFinite(ratio) ? ratio : null };
  });
}

function nearest(figure: Figure, rows: readonly LatestRow[]): LatestRow | null {
  const fits = rows.filter(
    ({ case: of, status, value }) =>
      of.server === figure.server &&
      of.model === figure.model &&
      (figure.workload === undefined || of.workload === figure.workload) &&
      (figure.connections === undefined || of.connections === figure.connections) &&
      status === "ok" &&
      value(figure.metric) !== null,
  );
  const nearness = ({ case: of }: LatestRow) =>
    2 * Number(of.runtime === figure.runtime) + Number(of.boot === figure.boot);
  return fits.toSorted((a, b) => nearness(b) - nearness(a))[0] ?? null;
}

/** An order of two variants under one load that comes out the other way round here. */
export interface Reversal {
  /** The one that the study has before the other. */
  readonly first: Pair;
  readonly second: Pair;
  /** By how much, there and here; both are above 1. */
  readonly there: number;
  readonly here: number;
}

// two throughputs that lie closer together have no order worth speaking of
const ORDER_RATIO = 1.05;

/** Pairs of throughputs that lie apart in the study, and apart the other way round here. */
export function reversalsOf(pairs: readonly Pair[]): readonly Reversal[] {
  const rates = pairs.filter(({ figure, row }) => figure.metric === "throughput_rps" && row);
  return rates.flatMap((one, at) =>
    rates.slice(at + 1).flatMap((other) => {
      if (!sameLoad(one.figure, other.figure)) return [];
      const [first, second] = one.published >= other.published ? [one, other] : [other, one];
      const there = first.published / second.published;
      const here = second.measured && first.measured ? ahead(second.measured, first.measured) : 0;
      return there > ORDER_RATIO && here > ORDER_RATIO ? [{ first, second, there, here }] : [];
    }),
  );
}

function sameLoad(one: Figure, other: Figure): boolean {
  return one.workload === other.workload && one.connections === other.connections;
}

/** By how much one is above the other; 0 where their intervals do not tell them apart. */
function ahead(one: Value, other: Value): number {
  return one.low > other.high ? one.median / other.median : 0;
}
