/** Loading a series, the newest stretch first: a long history is not fetched to see its end. */

import { type Chunk, type ClassRow, chunkPaths, SCHEMA_VERSION, type Series } from "./contract";
import { loadJson, Missing, Problem } from "./load";
import { gapBefore, type Point, pointsOf } from "./points";

/** One metric of a case that was measured in one way. */
export interface SeriesName {
  readonly case: string;
  readonly conditions: string;
  readonly metric: string;
}

export interface Stretch {
  readonly points: readonly Point[];
  /** How many older chunks were left where they are. */
  readonly older: number;
  /** What could not be loaded: its runs may have measured the case, and nobody knows. */
  readonly lost: readonly Problem[];
}

/** One chunk's points, or why there are none to be had. */
type Part = readonly Point[] | Problem;

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

/** The newest points of a series: as many chunks as `wanted` runs take. Throws a Problem. */
export async function loadStretch(row: ClassRow, of: SeriesName, wanted: number): Promise<Stretch> {
  const chunks = newestChunks(row, wanted);
  const parts = await Promise.all(chunks.map((chunk) => partOf(row.class, chunk, of)));
  const lost = parts.filter((part) => part instanceof Problem);
  const [only] = lost;
  if (only !== undefined && lost.length === parts.length) throw only;
  return { points: joined(parts), older: row.chunks.length - chunks.length, lost };
}

/** The points in order, with a gap where a part is lost: no line leads over what nobody knows. */
export function joined(parts: readonly Part[]): readonly Point[] {
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
    points.push(...part);
    gap = false;
  }
  return points;
}

async function partOf(hostClass: string, chunk: string, of: SeriesName): Promise<Part> {
  try {
    return await loadChunk(hostClass, chunk, of);
  } catch (problem) {
    if (problem instanceof Problem) return problem;
    throw problem;
  }
}

async function loadChunk(
  hostClass: string,
  chunk: string,
  of: SeriesName,
): Promise<readonly Point[]> {
  const paths = chunkPaths(hostClass, chunk, of.case, of.conditions);
  const [runs, series] = await Promise.all([
    loadJson(paths.chunk, SCHEMA_VERSION).catch((problem) => gone(problem, paths.chunk)),
    loadJson(paths.series, SCHEMA_VERSION).catch(notMeasured),
  ]);
  return series === null ? [] : pointsOf(runs as Chunk, series as Series, of.metric);
}

function gone(problem: unknown, path: string): never {
  if (!(problem instanceof Missing)) throw problem;
  throw new Problem("problem.gone", { path });
}

/** A case that no run of a chunk has measured has no file there; the chunk itself always has one. */
function notMeasured(problem: unknown): null {
  if (problem instanceof Missing) return null;
  throw problem;
}
