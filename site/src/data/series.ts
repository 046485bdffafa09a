/** Loading a series, the newest stretch first: a long history is not fetched to see its end. */

import { type ClassRow, type Month, monthPaths, SCHEMA_VERSION, type Series } from "./contract";
import { loadJson, Missing, Problem } from "./load";
import { gapBefore, type Point, pointsOf } from "./points";
import { Remembered } from "./remember";

/** A case that was measured in one way. */
export interface SeriesName {
  readonly case: string;
  readonly configuration: string;
}

/** One month of a series with all its metrics; `series` is null where no run measured the case. */
interface Loaded {
  readonly month: Month;
  readonly series: Series | null;
}

/** The files of a series: any of its metrics can be drawn from them. */
export interface Stretch {
  readonly parts: readonly (Loaded | Problem)[];
  /** How many older months were left where they are. */
  readonly older: number;
  /** What could not be loaded: its runs may have measured the case, and nobody knows. */
  readonly lost: readonly Problem[];
}

/** Months that hold at least `runCount` runs, counted from the newest; at least one. */
export function newestMonths(row: ClassRow, runCount: number): readonly string[] {
  let first = row.months.length;
  let runs = 0;
  while (first > 0 && (runs < runCount || first === row.months.length)) {
    first -= 1;
    runs += row.months[first]?.runs ?? 0;
  }
  return row.months.slice(first).map(({ month }) => month);
}

/** How many of the newest runs reach back to a moment, in whole months. */
export function runsSince(row: ClassRow, moment: number): number {
  let runs = 0;
  for (const { month, runs: count } of row.months.toReversed()) {
    runs += count;
    if (Date.parse(`${month}-01T00:00:00Z`) <= moment) break;
  }
  return runs;
}

/** The newest files of a series: as many months as `runCount` runs take. Throws a Problem. */
export async function loadStretch(
  row: ClassRow,
  name: SeriesName,
  runCount: number,
): Promise<Stretch> {
  const months = newestMonths(row, runCount);
  const parts = await Promise.all(months.map((month) => partOf(row.class, month, name)));
  const lost = parts.filter((part) => part instanceof Problem);
  const [only] = lost;
  if (only !== undefined && lost.length === parts.length) throw only;
  return { parts, older: row.months.length - months.length, lost };
}

const pointCache = new WeakMap<Stretch, Map<string, readonly Point[]>>();

/** One metric of a stretch as points, oldest first; made once. */
export function pointsIn(stretch: Stretch, metric: string): readonly Point[] {
  const byMetric = pointCache.get(stretch) ?? new Map<string, readonly Point[]>();
  pointCache.set(stretch, byMetric);
  const known = byMetric.get(metric);
  if (known !== undefined) return known;
  const parts = stretch.parts.map((part) => {
    if (part instanceof Problem) return part;
    return part.series === null ? [] : pointsOf(part.month, part.series, metric);
  });
  const points = joined(parts);
  byMetric.set(metric, points);
  return points;
}

/** The points in order, with a gap where a part is lost: no line leads over what nobody knows. */
export function joined(parts: readonly (readonly Point[] | Problem)[]): readonly Point[] {
  const points: Point[] = [];
  let gap = false;
  for (const part of parts) {
    if (part instanceof Problem) {
      gap = points.length > 0;
      continue;
    }
    const [first] = part;
    if (first === undefined) continue;
    if (gap) points.push(gapBefore(first));
    for (const point of part) points.push(point);
    gap = false;
  }
  return points;
}

async function partOf(
  hostClass: string,
  month: string,
  name: SeriesName,
): Promise<Loaded | Problem> {
  try {
    return await loadPart(hostClass, month, name);
  } catch (problem) {
    if (problem instanceof Problem) return problem;
    throw problem;
  }
}

// some 40 kB each; 10,000 runs are 80 files a series
const months = new Remembered<Month>(200);
const files = new Remembered<Series | null>(800);

async function loadPart(hostClass: string, month: string, name: SeriesName): Promise<Loaded> {
  const paths = monthPaths(hostClass, month, name.case, name.configuration);
  const runs = await months.get(paths.month, () => loadMonth(paths.month));
  if (!runs.series.includes(`${name.case}@${name.configuration}`))
    return { month: runs, series: null };
  return { month: runs, series: await files.get(paths.series, () => loadFile(paths.series)) };
}

async function loadMonth(path: string): Promise<Month> {
  try {
    return (await loadJson(path, SCHEMA_VERSION)) as Month;
  } catch (problem) {
    // the index names it, so it should be there
    if (problem instanceof Missing) throw new Problem("problem.gone", { path });
    throw problem;
  }
}

async function loadFile(path: string): Promise<Series | null> {
  try {
    return (await loadJson(path, SCHEMA_VERSION)) as Series;
  } catch (problem) {
    // a case that no run of a month has measured has no file there
    if (problem instanceof Missing) return null;
    throw problem;
  }
}
