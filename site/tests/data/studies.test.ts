import { expect, test } from "vitest";
import type { ClassRow } from "../../src/data/contract";
import { counterpartsOf, STUDIES, type Study } from "../../src/data/studies";
import { documents } from "../documents";

const { index } = documents({ runs: 30, cases: 20 });
const [row] = index.classes as [ClassRow];
const FIGURE = {
  boot: "boot4",
  server: "tomcat",
  model: "virtual",
  runtime: "native",
  workload: "pay",
  connections: 1000,
  metric: "throughput_rps",
  unit: "rps",
  published: 900,
};
const STUDY: Study = {
  id: "009",
  profile: "quick",
  setting: {},
  figures: [FIGURE, FIGURE, FIGURE],
};
const MATCHES = {
  study: "009",
  measured: [2, null, 0],
  ratio: [1.5, null, 0.5],
  reversals: [{ first: 0, second: 2, there: 1.8, here: 2 }],
};

test("each figure has the counterpart that the index names", () => {
  const { pairs } = counterpartsOf(STUDY, index, { ...row, studies: [MATCHES] });
  expect(pairs.map(({ row: latestRow }) => latestRow?.case.case)).toEqual([
    index.cases[row.latest.row[2] ?? -1]?.case,
    undefined,
    index.cases[row.latest.row[0] ?? -1]?.case,
  ]);
  expect(pairs.map(({ ratio }) => ratio)).toEqual([1.5, null, 0.5]);
  expect(pairs[0]?.measured?.median).toBe(row.latest.metrics["throughput_rps"]?.median[2]);
});

test("a reversed order is shown as the index has it", () => {
  const { pairs, reversals } = counterpartsOf(STUDY, index, { ...row, studies: [MATCHES] });
  expect(reversals).toHaveLength(1);
  expect(reversals[0]).toMatchObject({ publishedRatio: 1.8, measuredRatio: 2 });
  expect(reversals[0]?.first).toBe(pairs[0]);
  expect(reversals[0]?.second).toBe(pairs[2]);
});

test("a study of which nothing was measured has no counterparts", () => {
  const { pairs, reversals } = counterpartsOf(STUDY, index, row);
  expect(pairs.every(({ row: latestRow, ratio }) => latestRow === null && ratio === null)).toBe(
    true,
  );
  expect(reversals).toEqual([]);
});

test("the studies that the page brings along have figures of known form", () => {
  expect(STUDIES.length).toBeGreaterThanOrEqual(4);
  for (const { figures } of STUDIES) {
    for (const { published, workload, connections } of figures) {
      expect(published).toBeGreaterThanOrEqual(0);
      expect(workload === undefined).toBe(connections === undefined);
    }
  }
});
