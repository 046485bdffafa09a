/** Loading a series, the newest stretch first: a long history is not fetched to see its end. */

import type { Choice } from "./choice";
import { type Chunk, type ClassRow, chunkPaths, SCHEMA_VERSION, type Series } from "./contract";
import { loadJson, Missing } from "./load";
import { type Point, pointsOf } from "./points";

export interface Stretch {
  readonly points: readonly Point[];
  /** How many older chunks were left where they are. */
  readonly older: number;
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

/** The newest points of a series: as many chunks as `wanted` runs take. Throws a Problem. */
export async function loadStretch(row: ClassRow, choice: Choice, wanted: number): Promise<Stretch> {
  const chunks = newestChunks(row, wanted);
  const parts = await Promise.all(chunks.map((chunk) => loadChunk(row.class, chunk, choice)));
  return { points: parts.flat(), older: row.chunks.length - chunks.length };
}

async function loadChunk(
  hostClass: string,
  chunk: string,
  choice: Choice,
): Promise<readonly Point[]> {
  const paths = chunkPaths(hostClass, chunk, choice.case);
  try {
    const [runs, series] = await Promise.all([
      loadJson(paths.chunk, SCHEMA_VERSION),
      loadJson(paths.series, SCHEMA_VERSION),
    ]);
    return pointsOf(runs as Chunk, series as Series, choice.metric);
  } catch (problem) {
    // a case that no run of the chunk has measured has no file there
    if (problem instanceof Missing) return [];
    throw problem;
  }
}
