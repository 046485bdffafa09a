/** Which rows are shown, and in which order. Pure. */

import { fits } from "../../data/case_filter";
import { isChange, sizeOf } from "./ratio";
import type { ComparedRow } from "./rows";

export const SORTS = ["size", "case", "metric", "base", "head", "ratio", "verdict"] as const;
export type Sort = (typeof SORTS)[number];

export interface Order {
  readonly by: Sort;
  readonly down: boolean;
}

const DEFAULT: Order = { by: "size", down: true };

/** `-ratio` is by ratio, the largest first. */
export function readOrder(text: string | null): Order {
  const by = SORTS.find((sort) => sort === text?.replace(/^-/, ""));
  return by === undefined ? DEFAULT : { by, down: text?.startsWith("-") ?? false };
}

/** What stands in the address after a column's head was pressed: numbers begin with the largest. */
export function nextSort(order: Order, by: Sort): string {
  const down = order.by === by ? !order.down : by !== "case" && by !== "metric";
  return down ? `-${by}` : by;
}

export function ordered(rows: readonly ComparedRow[], { by, down }: Order): readonly ComparedRow[] {
  const compare = COMPARES[by];
  const sign = down ? -1 : 1;
  return rows.toSorted((a, b) => sign * compare(a, b) || byName(a, b));
}

type Compare = (a: ComparedRow, b: ComparedRow) => number;

const byName: Compare = (a, b) =>
  a.case.workload.localeCompare(b.case.workload, "en") ||
  a.case.case.localeCompare(b.case.case, "en", { numeric: true }) ||
  a.metric.localeCompare(b.metric, "en");

const RANK = { worse: 5, suspected: 4, changed: 3, better: 2, same: 1, unknown: 0 } as const;

function by(value: (row: ComparedRow) => number): Compare {
  return (a, b) => {
    const [one, other] = [value(a), value(b)];
    return one === other ? 0 : one - other;
  };
}

const COMPARES: Readonly<Record<Sort, Compare>> = {
  // what changed stands before what did not, however far that is from 1
  size: (a, b) => by(({ verdict }) => Number(isChange(verdict)))(a, b) || by(sizeOf)(a, b),
  case: byName,
  metric: (a, b) => a.metric.localeCompare(b.metric, "en"),
  base: by(({ base }) => base?.median ?? -1),
  head: by(({ head }) => head?.median ?? -1),
  ratio: by(({ ratio }) => ratio?.ratio ?? -1),
  verdict: by(({ verdict }) => RANK[verdict]),
};

/** What an address asks for, and the words that are being typed. */
export function shownRows(
  rows: readonly ComparedRow[],
  query: URLSearchParams,
  words: string,
): readonly ComparedRow[] {
  const metric = query.get("metric");
  return rows.filter(
    (row) => (!metric || row.metric === metric) && fits(row.case, query, words, row.metric),
  );
}

export interface Counts {
  readonly worse: number;
  readonly better: number;
  readonly changed: number;
  readonly same: number;
  readonly unknown: number;
}

export function counts(rows: readonly ComparedRow[]): Counts {
  const count = (...verdicts: readonly string[]) =>
    rows.filter((row) => verdicts.includes(row.verdict)).length;
  return {
    worse: count("worse", "suspected"),
    better: count("better"),
    changed: count("changed"),
    same: count("same"),
    unknown: count("unknown"),
  };
}
