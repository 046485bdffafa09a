import { expect, test } from "vitest";
import { edges, gridLines } from "../../src/charts/edges";
import { pointsOf } from "../../src/data/points";
import { documents } from "../documents";

test("the edges are round, hold every interval, and do not blow up noise", () => {
  const { month, series } = documents({ runs: 40, cases: 1 });
  const drawn = pointsOf(month, series, "throughput_rps");
  const values = drawn.flatMap(({ low, high }) => [low ?? [], high ?? []].flat());
  const { min, max, interval } = edges(values);
  expect((max - min) / interval).toBeCloseTo(Math.round((max - min) / interval));
  for (const { low, high } of drawn) {
    expect(low ?? min).toBeGreaterThanOrEqual(min);
    expect(high ?? max).toBeLessThanOrEqual(max);
  }
  const flat = edges([200, 199.9, 200.1]);
  expect(flat.max - flat.min).toBeGreaterThanOrEqual(10);
  expect(edges([0])).toMatchObject({ min: 0 });
  expect(edges([])).toMatchObject({ min: 0, max: 1 });
});

test("edges stay numbers whatever is measured", () => {
  const { min, max, interval } = edges([1e308, -1e308]);
  for (const value of [min, max, interval]) expect(Number.isFinite(value)).toBe(true);
});

test("the lines of the grid are what they say", () => {
  expect(gridLines({ min: 0, max: 0.5, interval: 0.1 })).toEqual([0, 0.1, 0.2, 0.3, 0.4, 0.5]);
});
