/** Published documents as the tests need them. */

import { syntheticFiles } from "../scripts/synthetic.mjs";
import type { Index, Month, Series } from "../src/data/contract";

/** The index, the newest month and the newest series of the first case of a made-up history. */
export function documents(size: { runs: number; cases: number; perMonth?: number }) {
  const files = new Map(syntheticFiles(size));
  const paths = [...files.keys()];
  const monthPath = paths.findLast((path) => path.endsWith("/month.json")) ?? "";
  const seriesPath = paths[paths.indexOf(monthPath) + 1] ?? "";
  return {
    index: files.get("index.json") as Index,
    month: files.get(monthPath) as Month,
    series: files.get(seriesPath) as Series,
  };
}
