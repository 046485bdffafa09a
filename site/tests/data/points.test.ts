import { expect, test } from "vitest";
import { pointsOf } from "../../src/data/points";
import { documents } from "../documents";

test("a column becomes points that know their commit", () => {
  const { month, series } = documents({ runs: 10, cases: 2 });
  const points = pointsOf(month, series, "throughput_rps");
  expect(points).toHaveLength(10);
  expect(points[0]?.median).toBe(series.metrics["throughput_rps"]?.median[0]);
  expect(points[0]?.sha).toBe(month.commits[0]?.sha);
  expect(points[3]?.marks).toEqual(["drifted"]);
});

test("a failed case is a gap, never a zero", () => {
  const { month, series } = documents({ runs: 10, cases: 2 });
  const failed = pointsOf(month, series, "throughput_rps")[2];
  expect(failed).toMatchObject({ median: null, low: null, n: 0, status: "failed" });
});

test("a metric that the month lacks, and a run outside git, leave blanks", () => {
  const { month, series } = documents({ runs: 1, cases: 1 });
  month.runs.commit = [null];
  const [point] = pointsOf(month, series, "constructor");
  expect(point).toMatchObject({ median: null, sha: null, message: "" });
  expect(point?.time).toBe(month.runs.started_at[0]);
});

test("columns shorter than their rows leave blanks too", () => {
  const { month, series } = documents({ runs: 3, cases: 1 });
  series.metrics["throughput_rps"] = { median: [1], low: [], high: [] };
  series.n = [];
  const points = pointsOf(month, series, "throughput_rps");
  expect(points.map(({ median }) => median)).toEqual([1, null, null]);
});
