import { expect, test } from "vitest";
import { isRanked, latestRows } from "../../src/data/latest";
import { isOverReleases } from "../../src/data/releases";
import { documents } from "../documents";

function sample(cases = 16) {
  const { index } = documents({ runs: 2, cases });
  const [row] = index.classes;
  if (row === undefined) throw new Error("no class");
  return { index, row };
}

test("each case that was measured is a row", () => {
  const { index, row } = sample();
  const rows = latestRows(index, row);
  expect(rows.map((latestRow) => latestRow.case.case)).toEqual(
    index.cases.map((caseRow) => caseRow.case),
  );
  expect(rows.every(isRanked)).toBe(true);
});

test.each(["load-generator", "not-warmed-up"] as const)(
  "what is not the server's number (%s) is not ranked",
  (bottleneck) => {
    const { index, row } = sample();
    row.latest.bottleneck[6] = bottleneck;
    const unranked = latestRows(index, row).filter((latestRow) => !isRanked(latestRow));
    expect(unranked.map((latestRow) => latestRow.bottleneck)).toEqual([bottleneck]);
  },
);

test("what failed, or answered nothing, is not ranked", () => {
  const { index, row } = sample(3);
  row.latest.status[0] = "failed";
  const throughput = row.latest.metrics["throughput_rps"];
  if (throughput === undefined) throw new Error("no throughput");
  throughput.median[1] = 0;
  throughput.median[2] = null;
  expect(latestRows(index, row).some(isRanked)).toBe(false);
});

test("a row whose case the index does not name is left out", () => {
  const { index, row } = sample();
  row.latest.row[0] = 999;
  expect(latestRows(index, row)).toHaveLength(15);
});

test("a case that was measured in two ways has the row of the newer one", () => {
  const { index, row } = sample(2);
  const [one, two] = index.cases;
  if (one === undefined || two === undefined) throw new Error("no cases");
  index.cases = [one, { ...one, configuration: "nightly-3x10s" }];
  const shown = (...time: string[]) => {
    row.latest.time = time;
    return latestRows(index, row).map((latestRow) => latestRow.case.configuration);
  };
  expect(shown("2026-01-01T00:00:00Z", "2026-02-01T00:00:00Z")).toEqual(["nightly-3x10s"]);
  expect(shown("2026-03-01T00:00:00Z", "2026-02-01T00:00:00Z")).toEqual(["push-5x10s"]);
});

test("each row knows its run, its age and what is said of it", () => {
  const { index, row } = sample();
  const noted = latestRows(index, row).find((latestRow) => latestRow.notes.length > 0);
  expect(noted?.notes[0]).toContain("200 threads");
  expect(noted?.run).toContain("push");
  expect(noted?.startedAt).toMatch(/^2026-/);
});

test("one fork has no interval, several have the published one", () => {
  const { index, row } = sample(2);
  row.latest.n[0] = 1;
  const [single, several] = latestRows(index, row);
  expect(single?.interval).toBeNull();
  const median = several?.median["throughput_rps"] ?? 0;
  expect(several?.interval?.low).toBeLessThan(median);
  expect(several?.interval?.high).toBeGreaterThan(median);
});

test("columns that are shorter than their rows leave blanks", () => {
  const { index, row } = sample(2);
  row.latest.metrics = { throughput_rps: { median: [], low: [], high: [] } };
  row.latest.marks = [];
  row.latest.notes = [[99]];
  const [first] = latestRows(index, row);
  expect(first).toMatchObject({ interval: null, marks: [], notes: [] });
  expect(first?.median["throughput_rps"]).toBeNull();
});

test("of a case that was measured in two ways the wanted one is found, though it is older", () => {
  const { index, row } = sample(2);
  const [first, second] = index.cases;
  if (first === undefined || second === undefined) throw new Error("no cases");
  index.cases = [first, { ...first, configuration: "releases-1x6s" }];
  row.latest.time = ["2026-03-02T00:00:00Z", "2026-03-01T00:00:00Z"];
  const ways = (rows: ReturnType<typeof latestRows>) =>
    rows.map((latestRow) => latestRow.case.configuration);
  expect(ways(latestRows(index, row))).toEqual([first.configuration]);
  expect(ways(latestRows(index, row, undefined, isOverReleases))).toEqual(["releases-1x6s"]);
});
