/** What published studies printed, beside the newest that was measured here. Pure. */

import figures from "../generated/studies.json";
import type { ClassRow, Index } from "./contract";
import { type LatestRow, latestRowAt } from "./latest";
import type { Value } from "./values";

/** One printed figure, in the base unit of its metric. */
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
  /** Of several values the middle. */
  readonly published: number;
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
  /** The newest case that comes nearest; null where none was measured. */
  readonly row: LatestRow | null;
  readonly measured: Value | null;
  /** Measured ÷ published; null where no number can say it. */
  readonly ratio: number | null;
}

/** An order of two variants under one load that comes out the other way round here. */
export interface Reversal {
  /** The one that the study has before the other. */
  readonly first: Pair;
  readonly second: Pair;
  /** By how much, there and here; both are above 1. */
  readonly publishedRatio: number;
  readonly measuredRatio: number;
}

/** Each figure with its counterpart, as the index has them, and the orders that are turned round. */
export function counterpartsOf(
  study: Study,
  index: Index,
  row: ClassRow,
): { readonly pairs: readonly Pair[]; readonly reversals: readonly Reversal[] } {
  const found = row.studies?.find((entry) => entry.study === study.id);
  const pairs = study.figures.map((figure, at): Pair => {
    const position = found?.measured[at] ?? null;
    const newest = position === null ? null : latestRowAt(index, row, position);
    const measured = newest?.value(figure.metric) ?? null;
    return { figure, row: newest, measured, ratio: found?.ratio[at] ?? null };
  });
  const reversals = (found?.reversals ?? []).flatMap(
    ({ there: publishedRatio, here: measuredRatio, ...positions }) => {
      const [first, second] = [pairs[positions.first], pairs[positions.second]];
      return first && second ? [{ first, second, publishedRatio, measuredRatio }] : [];
    },
  );
  return { pairs, reversals };
}
