import { expect, test } from "vitest";
import { edges } from "../../src/charts/edges";
import { pointsOf } from "../../src/data/points";
import { documents } from "../documents";

test("the edges are round, hold every interval, and do not blow up noise", () => {
  const { chunk, series } = documents({ runs: 40, cases: 1 });
  const drawn = pointsOf(chunk, series, "throughput_rps");
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
