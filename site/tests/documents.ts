/** Published documents as the tests need them. */

import { syntheticFiles } from "../scripts/synthetic.mjs";
import type { Chunk, Index, Series } from "../src/data/contract";

/** The index, the newest chunk and the newest series of the first case of a made-up history. */
export function documents(size: { runs: number; cases: number; chunk?: number }) {
  const files = new Map(syntheticFiles(size));
  const paths = [...files.keys()];
  const chunkPath = paths.findLast((path) => path.endsWith("/chunk.json")) ?? "";
  const seriesPath = paths[paths.indexOf(chunkPath) + 1] ?? "";
  return {
    index: files.get("index.json") as Index,
    chunk: files.get(chunkPath) as Chunk,
    series: files.get(seriesPath) as Series,
  };
}
