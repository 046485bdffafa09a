/** Variants over their numbers of connections. Pure. */

import { lookOf } from "../../charts/looks";
import { distinct, variantOf } from "../../data/cases";
import { grouped } from "../../data/group";
import { isRanked, type LatestRow } from "../../data/latest";
import type { Load } from "../../data/loads";
import { metricsIn } from "../../data/metrics";
import { type RankOf, rankedRows } from "../../data/rankings";
import { variantName } from "../../parts/names";

/** What is drawn smaller, beside the throughput. */
export const SECONDARY_METRICS = metricsIn("scaling").flatMap(({ name }) =>
  name === "throughput_rps" ? [] : [name],
);

/** A variant that was measured with several numbers of connections. */
export interface ScaledVariant {
  readonly id: string;
  readonly name: string;
  readonly colour: number;
  readonly dash: "solid" | number[];
  /** In order of their connections, those that failed too. */
  readonly rows: readonly LatestRow[];
}

/** Whether there is anything to draw. */
export function scales({ counts }: Load): boolean {
  return scaledVariants(counts.flatMap(({ rows }) => rows)).length > 0;
}

const DASHES = ["solid", [6, 4], [2, 3]] as const;

/** Colours tell server and model apart, dashes how they are run. */
export function scaledVariants(rows: readonly LatestRow[]): readonly ScaledVariant[] {
  const several = [...grouped(rows, (row) => variantOf(row.case))].filter(
    ([, same]) => distinct(same.map((row) => row.case.connections)).length > 1,
  );
  const kinds = distinct(several.map(([, [first]]) => kindOf(first)));
  const runtimes = distinct(several.map(([, [first]]) => `${first?.case.runtime}`)).toSorted();
  const boots = distinct(several.map(([, [first]]) => `${first?.case.boot}`));
  return several.flatMap(([id, same]) => {
    const [first] = same;
    if (first === undefined) return [];
    const dash = DASHES[runtimes.indexOf(first.case.runtime) % DASHES.length] ?? "solid";
    return [
      {
        id,
        name: nameOf(first, boots.length > 1 && twins(several, first)),
        colour: lookOf(kinds.indexOf(kindOf(first)) + 1).colour,
        dash: typeof dash === "string" ? dash : [...dash],
        rows: same.toSorted((a, b) => a.case.connections - b.case.connections),
      },
    ];
  });
}

function kindOf(row: LatestRow | undefined): string {
  return row === undefined ? "" : `${row.case.boot} ${row.case.server} ${row.case.model}`;
}

/** Whether another variant would have the same name. */
function twins(
  several: readonly (readonly [string, readonly LatestRow[]])[],
  { case: caseRow }: LatestRow,
): boolean {
  return several.some(
    ([, [other]]) =>
      other !== undefined &&
      other.case.boot !== caseRow.boot &&
      variantName(other.case) === variantName(caseRow),
  );
}

function nameOf({ case: caseRow }: LatestRow, withBoot: boolean): string {
  return withBoot ? `${variantName(caseRow)}, ${caseRow.boot}` : variantName(caseRow);
}

/** The rows of a variant that have a number of a metric; without what is not the server's own. */
export function pointsOf({ rows }: ScaledVariant, metric: string) {
  return rows.flatMap((row) => {
    const value = row.status === "ok" ? row.value(metric) : null;
    return value !== null && value.median > 0 ? [{ row, value }] : [];
  });
}

/** What connections and the delay allow, at each number of connections. */
export function theoreticalMaxOf(
  variants: readonly ScaledVariant[],
): readonly (readonly [number, number])[] {
  const theoreticalMax = new Map<number, number>();
  for (const { case: caseRow, theoretical_max_rps: rate } of variants.flatMap(({ rows }) => rows)) {
    if (rate) theoreticalMax.set(caseRow.connections, rate);
  }
  return [...theoreticalMax].toSorted(([a], [b]) => a - b);
}

/** What limits a variant that keeps up with the theoretical maximum. */
const KEEPS_UP = "latency";

export interface Limits {
  /** The largest number of connections, and who serves most and least there. */
  readonly connections: number;
  readonly best: LatestRow;
  readonly worst: LatestRow;
  /** How many variants have it. */
  readonly all: number;
  /** How many of them the delay alone bounds; null where there is none. */
  readonly keepUp: number | null;
  /** Whether a run has ranked them, and the last one is tied with the best all the same. */
  readonly tied: boolean;
}

/** What happens where most is asked of the servers; null where nothing can be concluded. */
export function limitsOf(
  variants: readonly ScaledVariant[],
  rankOf: RankOf = () => null,
): Limits | null {
  const rows = variants.flatMap((variant) => variant.rows.filter(isRanked));
  const connections = Math.max(...rows.map((row) => row.case.connections));
  const topRows = rows
    .filter((row) => row.case.connections === connections)
    .toSorted((a, b) => rateOf(b) - rateOf(a));
  const ranked = rankedRows(topRows, rankOf);
  const order = ranked.length > 1 ? ranked.map(({ row }) => row) : topRows;
  const [best, worst] = [order[0], order.at(-1)];
  if (best === undefined || worst === undefined || best === worst) return null;
  const theoreticalMax = topRows.some((row) => row.theoretical_max_rps);
  const keepUp = topRows.filter(({ bottleneck }) => bottleneck === KEEPS_UP).length;
  const tied = ranked.length > 1 && ranked.at(-1)?.rank.first === 1;
  return {
    connections,
    best,
    worst,
    all: topRows.length,
    keepUp: theoreticalMax ? keepUp : null,
    tied,
  };
}

export function rateOf(row: LatestRow): number {
  return row.median["throughput_rps"] ?? 0;
}
