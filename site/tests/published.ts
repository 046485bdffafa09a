/** Published runs and comparisons as the tests need them. */

import { syntheticRun } from "../scripts/synthetic_run.mjs";
import type { Index } from "../src/data/contract";
import type { PublishedComparison, PublishedRun } from "../src/data/published";
import { documents } from "./documents";

/** A run of all cases of a made-up index. */
export function publishedRun(index: Index, id: string): PublishedRun {
  return syntheticRun(index, index.runs.id.length - 1, id) as PublishedRun;
}

type Finding = PublishedComparison["findings"][number];

/** A comparison of two commits with one finding. */
export function comparison(more: Partial<Finding>): PublishedComparison {
  const commit = { time: "2026-01-01T00:00:00Z", message: "A change", author: "A. Committer" };
  const finding: Finding = {
    case: "boot4-tomcat-virtual-jvm/hello/100",
    metric: "throughput_rps",
    unit: "rps",
    better: "higher",
    ratio: 0.9,
    low_ratio: 0.85,
    high_ratio: 0.95,
    p_value: 0.001,
    pairs: 6,
    verdict: "regression",
    ...more,
  };
  const run = publishedRun(documents({ runs: 1, cases: 1 }).index, "compared");
  const [shard] = run.shards;
  if (shard === undefined) throw new Error("no shard");
  return {
    schema: 1,
    id: "20260101T000000Z-compare",
    purpose: "push",
    started_at: "2026-01-02T00:00:00Z",
    profile: "compare",
    base: { ...commit, sha: "aaaaaaaaaaaa" },
    head: { ...commit, sha: "bbbbbbbbbbbb" },
    host: shard.host,
    tools: shard.tools,
    findings: [finding],
  };
}
