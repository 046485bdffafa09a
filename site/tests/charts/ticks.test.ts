import { expect, test } from "vitest";
import { linearTicks, logTicks } from "../../src/charts/ticks";

test("linear ticks begin at zero and end at or above the most", () => {
  expect(linearTicks(12_000)).toEqual([0, 5000, 10_000, 15_000]);
  expect(linearTicks(1)).toEqual([0, 0.25, 0.5, 0.75, 1]);
  expect(linearTicks(0.003)).toEqual([0, 0.001, 0.002, 0.003]);
  expect(linearTicks(0)).toEqual([0, 1]);
  expect(linearTicks(Number.NEGATIVE_INFINITY)).toEqual([0, 1]);
});

test("logarithmic ticks enclose both values", () => {
  expect(logTicks(187, 1500)).toEqual([100, 200, 500, 1000, 2000]);
  expect(logTicks(100, 100)).toEqual([100, 1000]);
  expect(logTicks(3, 4e6)).toEqual([1, 10, 100, 1000, 10_000, 100_000, 1e6, 1e7]);
  expect(logTicks(0, 5)).toEqual([1, 10]);
});
