import { expect, test } from "vitest";
import { chartOption, edges } from "../src/chart_option";
import { pointsOf } from "../src/points";
import { documents } from "./documents";

const PALETTE = {
  ink: "#000",
  quiet: "#555",
  line: "#ddd",
  paper: "#fff",
  accent: "#063",
  band: "#0632",
  bad: "#900",
};

function points(runs: number) {
  const { chunk, series } = documents({ runs, cases: 1, chunk: 1000 });
  return pointsOf(chunk, series, "throughput_rps");
}

function seriesIds(runs: number): readonly unknown[] {
  const { series } = chartOption(points(runs), "rps", PALETTE, 800);
  return [series].flat().map((each) => each?.id);
}

test("few points have error bars, many a band", () => {
  expect(seriesIds(20)).toEqual(["median", "interval", "failed"]);
  expect(seriesIds(200)).toEqual(["low", "high", "median", "failed"]);
});

test("the edges are round, hold every interval, and do not blow up noise", () => {
  const drawn = points(40);
  const { min, max, interval } = edges(drawn);
  expect((max - min) / interval).toBeCloseTo(Math.round((max - min) / interval));
  for (const { low, high } of drawn) {
    expect(low ?? min).toBeGreaterThanOrEqual(min);
    expect(high ?? max).toBeLessThanOrEqual(max);
  }
  const [point] = drawn;
  if (point === undefined) throw new Error("no point");
  const flat = edges([{ ...point, median: 200, low: 199.9, high: 200.1 }]);
  expect(flat.max - flat.min).toBeGreaterThanOrEqual(10);
  expect(edges([{ ...point, median: 0, low: 0, high: 0 }])).toMatchObject({ min: 0 });
  expect(edges([])).toMatchObject({ min: 0, max: 1 });
});
