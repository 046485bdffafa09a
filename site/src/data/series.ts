/** Loading a series, the newest stretch first: a long history is not fetched to see its end. */

import { type Chunk, type ClassRow, chunkPaths, SCHEMA_VERSION, type Series } from "./contract";
import { loadJson, Missing, Problem } from "./load";
import { gapBefore, type Point, pointsOf } from "./points";
import { Remembered } from "./remember";

/** A case that was measured in one way. */
export interface SeriesName {
  readonly case: string;
  readonly conditions: string;
}

/** One chunk of a series with all its metrics; `series` is null where no run measured the case. */
interface Loaded {
  readonly chunk: Chunk;
  readonly series: Series | null;
}

/** The files of a series: any of its metrics can be drawn from them. */
export interface Stretch {
  readonly parts: readonly (Loaded | Problem)[];
  /** How many older chunks were left where they are. */
  readonly older: number;
  /** What could not be loaded: its runs may have measured the case, and nobody knows. */
  readonly lost: readonly Problem[];
}

/** Chunks that hold at least `wanted` runs, counted from the newest; at least one. */
export function newestChunks(row: ClassRow, wanted: number): readonly string[] {
  let first = row.chunks.length;
  let runs = 0;
  while (first > 0 && (runs < wanted || first === row.chunks.length)) {
    first -= 1;
    runs += row.chunks[first]?.runs ?? 0;
  }
  return row.chunks.slice(first).map(({ chunk }) => chunk);
}

/** How many of the newest runs reach back to a moment, in whole chunks. */
export function runsSince(row: ClassRow, moment: number): number {
  let runs = 0;
  for (const { begin, runs: count } of row.chunks.toReversed()) {
    runs += count;
    if (Date.parse(String(begin[0])) <= moment) break;
  }
  return runs;
}

/** The newest files of a series: as many chunks as `wanted` runs take. Throws a Problem. */
export async function loadStretch(row: ClassRow, of: SeriesName, wanted: number): Promise<Stretch> {
  const chunks = newestChunks(row, wanted);
  const parts = await Promise.all(chunks.map((chunk) => partOf(row.class, chunk, of)));
  const lost = parts.filter((part) => part instanceof Problem);
  const [only] = lost;
  if (only !== undefined && lost.length === parts.length) throw only;
  return { parts, older: row.chunks.length - chunks.length, lost };
}

const made = new WeakMap<Stretch, Map<string, readonly Point[]>>();

/** One metric of a stretch as points, oldest first; made once. */
export function pointsIn(stretch: Stretch, metric: string): readonly Point[] {
  const byMetric = made.get(stretch) ?? new Map<string, readonly Point[]>();
  made.set(stretch, byMetric);
  const known = byMetric.get(metric);
  if (known !== undefined) return known;
  const parts = stretch.parts.map((part) => {
    if (part instanceof Problem) return part;
    return part.series === null ? [] : pointsOf(part.chunk, part.series, metric);
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

async function partOf(hostClass: string, chunk: string, of: SeriesName): Promise<Loaded | Problem> {
  try {
    return await loadPart(hostClass, chunk, of);
  } catch (problem) {
    if (problem instanceof Problem) return problem;
    throw problem;
  }
}

// some 40 kB each; 10,000 runs are 80 files a series
const chunks = new Remembered<Chunk>(200);
const files = new Remembered<Series | null>(800);

async function loadPart(hostClass: string, chunk: string, of: SeriesName): Promise<Loaded> {
  const paths = chunkPaths(hostClass, chunk, of.case, of.conditions);
  const runs = await chunks.get(paths.chunk, () => loadChunk(paths.chunk));
  // what an older version wrote does not name its series: they are asked for
  if (runs.series?.includes(`${of.case}@${of.conditions}`) === false)
    return { chunk: runs, series: null };
  return { chunk: runs, series: await files.get(paths.series, () => loadFile(paths.series)) };
}

async function loadChunk(path: string): Promise<Chunk> {
  try {
    return (await loadJson(path, SCHEMA_VERSION)) as Chunk;
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
    // a case that no run of a chunk has measured has no file there
    if (problem instanceof Missing) return null;
    throw problem;
  }
}
