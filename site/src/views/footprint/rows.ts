/** What each variant takes of a host, each number beside the best of them. Pure. */

import type { Index, MetricRow } from "../../data/contract";
import type { Fields } from "../../data/export";
import { grouped } from "../../data/group";
import type { LatestRow } from "../../data/latest";
import { metricsIn } from "../../data/metrics";
import { type Rank, type RankOf, rankedRows } from "../../data/rankings";
import type { Value } from "../../data/values";

/** The metrics that at least one of the rows has a number of. */
export function columnsOf({ metrics }: Index, rows: readonly LatestRow[]): readonly MetricRow[] {
  return metricsIn("footprint")
    .flatMap(({ name }) => metrics.find((metric) => metric.name === name) ?? [])
    .filter(({ name }) => rows.some(({ value }) => value(name) !== null));
}

export interface Cell {
  readonly value: Value;
  /** Of the largest number in the column: how long its bar is. */
  readonly share: number;
  /** Among those of its run; null where the run has not ranked it. */
  readonly rank: Rank | null;
}

/** The cells of a column, by row. */
export function cellsOf(
  { name }: MetricRow,
  rows: readonly LatestRow[],
  rankOf: RankOf,
): ReadonlyMap<LatestRow, Cell> {
  const values = rows.flatMap((row) => {
    const value = row.status === "ok" ? row.value(name) : null;
    return value === null ? [] : [{ row, value }];
  });
  const most = Math.max(...values.map(({ value }) => value.median));
  const ranks = new Map(rankedRows(rows, rankOf, name).map(({ row, rank }) => [row, rank]));
  return new Map(
    values.map(({ row, value }) => [
      row,
      { value, share: most > 0 ? value.median / most : 0, rank: ranks.get(row) ?? null },
    ]),
  );
}

export interface Group {
  readonly runtime: string;
  readonly rows: readonly LatestRow[];
}

/** By how the server is run, each sorted by a metric, what has none last. */
export function groupsOf(rows: readonly LatestRow[], { metric, down }: Order): readonly Group[] {
  const sign = down ? -1 : 1;
  const sortValue = (row: LatestRow) =>
    row.value(metric)?.median ?? sign * Number.POSITIVE_INFINITY;
  const compare = (a: LatestRow, b: LatestRow) => {
    const [one, other] = [sortValue(a), sortValue(b)];
    return one === other ? byName(a, b) : sign * (one - other);
  };
  return [...grouped(rows, (row) => row.case.runtime)]
    .map(([runtime, same]) => ({ runtime, rows: same.toSorted(compare) }))
    .toSorted((a, b) => a.runtime.localeCompare(b.runtime, "en"));
}

function byName(a: LatestRow, b: LatestRow): number {
  return a.case.case.localeCompare(b.case.case, "en");
}

export interface Order {
  readonly metric: string;
  readonly down: boolean;
}

/** `-startup_s` is by startup, the longest first. Without a choice the first column counts. */
export function readOrder(text: string | null, columns: readonly MetricRow[]): Order {
  const metric = text?.replace(/^-/, "");
  const known = columns.find(({ name }) => name === metric);
  if (known === undefined) return { metric: columns[0]?.name ?? "", down: false };
  return { metric: known.name, down: text?.startsWith("-") ?? false };
}

/** What stands in the address after a column's head was pressed: the best first, then the worst. */
export function nextSort(order: Order, metric: string): string {
  return order.metric === metric && !order.down ? `-${metric}` : metric;
}

export function fieldsOf(row: LatestRow, columns: readonly MetricRow[]): Fields {
  const numbers = columns.flatMap(({ name }) => {
    const value = row.value(name);
    return [
      [name, value?.median ?? null],
      [`${name}_low`, value !== null && value.forks > 1 ? value.low : null],
      [`${name}_high`, value !== null && value.forks > 1 ? value.high : null],
    ];
  });
  return {
    case: row.case.case,
    configuration: row.case.configuration,
    run: row.run,
    forks: row.n,
    status: row.status,
    ...Object.fromEntries(numbers),
  };
}
