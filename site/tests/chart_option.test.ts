import { expect, test } from "vitest";
import { chartOption } from "../src/chart_option";
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
