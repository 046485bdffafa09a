/** The page says of a run what the terminal has said: `bench/tests/test_surfaces.py` has seen it. */

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { LatestRow } from "../src/data/latest";
import type { PublishedComparison, PublishedRun } from "../src/data/published";
import { hostWarnings, type Rank, rankLookup, rankRange } from "../src/data/rankings";
import { valueAt } from "../src/data/values";
import { notesOf } from "../src/parts/notes";
import { measuredRows, verdictNamed } from "../src/views/compare/rows";
import { answer, questions } from "../src/views/overview/answer";
import { byWorkload, caseLines, rankingsOf } from "../src/views/run/case_rows";
import { documents } from "./documents";

interface Surfaces {
  readonly run: PublishedRun;
  /** By workload and connections what stands in the terminal, the best first. */
  readonly shown: Readonly<
    Record<
      string,
      { readonly rows: readonly (readonly string[])[]; readonly tied: readonly string[] }
    >
  >;
}

function seenBy(name: string): unknown {
  const file = new URL(`../../bench/tests/golden/surfaces-${name}.json`, import.meta.url);
  return JSON.parse(readFileSync(file, "utf8"));
}

const { run, shown } = seenBy("run") as Surfaces;
const lines = caseLines(run);

/** The words of the terminal. */
function words(rank: Rank): string {
  const [low, ratio, high] = [rank.low, rank.ratio, rank.high].map((value) =>
    (100 * value).toFixed(0),
  );
  return rank.low === rank.high
    ? `best, rank ${rankRange(rank)}`
    : `${ratio} % [${low}, ${high}], rank ${rankRange(rank)}`;
}

/** The newest rows, were this run the only one. */
const rows: readonly LatestRow[] = run.cases.map((measuredCase, at) => ({
  case: measuredCase,
  run: run.id,
  startedAt: run.started_at,
  sha: null,
  marks: [],
  status: measuredCase.status,
  bottleneck: measuredCase.bottleneck ?? null,
  n: measuredCase.n,
  theoretical_max_rps: measuredCase.theoretical_max_rps ?? null,
  notes: measuredCase.notes ?? [],
  median: { throughput_rps: run.metrics["throughput_rps"]?.median[at] ?? null },
  value: (metric) => valueAt(run.metrics, metric, at, measuredCase.n),
  interval: null,
}));

test("the tables of the run have the ranks, ratios and intervals of the terminal, in its order", () => {
  const seen = [...byWorkload(lines).values()].flatMap((same) =>
    same.flatMap(({ case: measuredCase, rank }) =>
      rank === null ? [] : [[measuredCase.case, words(rank)]],
    ),
  );
  expect(seen).toEqual(Object.values(shown).flatMap((group) => group.rows));
});

test("the ties of a ranking are those of the terminal", () => {
  for (const [, same] of rankingsOf(lines)) {
    const [first] = same;
    const load = `${first?.case.workload} ${first?.case.connections}`;
    const tied = same
      .filter(({ rank }) => rank?.first === 1)
      .map(({ case: measuredCase }) => measuredCase.case);
    expect(tied.toSorted()).toEqual(shown[load]?.tied.toSorted());
  }
});

test("the first page answers with the same order and the same ties", () => {
  const rankOf = rankLookup([run]);
  for (const question of questions(rows)) {
    const printed = shown[`${question.workload} ${question.connections}`];
    const found = answer(question, rankOf);
    if (found.kind !== "best") continue;
    expect(found.ties.map(({ row }) => row.case.case)).toEqual(printed?.tied);
    const next = printed?.rows.find(([id = ""]) => !printed.tied.includes(id));
    expect(found.next?.row.case.case).toBe(next?.[0]);
    expect(found.next && words(found.next.rank)).toBe(next?.[1]);
  }
  expect(questions(rows).some((question) => answer(question, rankOf).kind === "best")).toBe(true);
});

test("each warning of a row stands once with its rows, and a host's once for all", () => {
  const notes = notesOf(
    run.cases.map((measuredCase) => ({ case: measuredCase, notes: measuredCase.notes ?? [] })),
  );
  expect(new Set(notes.map(({ text }) => text)).size).toBe(notes.length);
  const stalled = notes.filter(({ text }) => text.includes("the server stalled"));
  expect(stalled.flatMap(({ cases }) => cases.map(({ server }) => server))).toContain("netty");
  const disturbed = hostWarnings([run]).filter((text) => text.includes("background load"));
  expect(disturbed).toHaveLength(1);
  expect(notes.some(({ text }) => text.includes("background load"))).toBe(false);
});

test("a comparison has the verdicts and ratios of the terminal, and its notes and warnings", () => {
  const { comparison, shown: rows } = seenBy("comparison") as {
    readonly comparison: PublishedComparison;
    readonly shown: readonly (readonly [string, string, string, string])[];
  };
  const { index } = documents({ runs: 1, cases: 1 });
  const found = measuredRows(index, [comparison]);
  expect(found.map(({ case: caseRow, metric }) => [caseRow.case, metric])).toEqual(
    rows.map(([id, metric]) => [id, metric]),
  );
  for (const [at, [, , verdict, words]] of rows.entries()) {
    const row = found[at];
    expect(row?.verdict).toBe(verdictNamed(verdict));
    const percent = 100 * ((row?.ratio?.ratio ?? 0) - 1);
    expect(percent).toBeCloseTo(Number.parseFloat(words), 1);
    const finding = comparison.findings[at];
    expect([row?.ratio?.low, row?.ratio?.high]).toEqual([finding?.low_ratio, finding?.high_ratio]);
  }
  expect(comparison.warnings).toHaveLength(1);
});
