import { expect, test } from "vitest";
import { atOf, layoutOf, offAxis, xOf } from "../../src/charts/layout";
import { vertical } from "../../src/charts/vertical";
import { line, picture } from "./dots";

const linear = { log: false, zero: false };
const logarithmic = { log: true, zero: false };
const seen = (count: number) => ({ from: 0, to: count - 1 });
const noisy = (around: number, count = 40) =>
  Array.from({ length: count }, (_, at) => around * (1 + ((at * 37) % 11) / 500));

test.each([2, 3, 5, 40, 1_000])("one value of 1e308 among %i erases no other", (count) => {
  const values = noisy(200, count).with(count >> 1, 1e308);
  const axis = vertical([line(values)], seen(count), linear);
  expect(axis.max).toBeLessThan(1_000);
  expect(offAxis(axis, 1e308)).toBe(1);
  expect(values.filter((value) => offAxis(axis, value) === 0)).toHaveLength(count - 1);
});

test("a step to a half, to nothing or to double is no outlier", () => {
  for (const last of [100, 0, 400]) {
    const values = [...noisy(200), last, last];
    const axis = vertical([line(values)], seen(values.length), linear);
    expect(values.every((value) => offAxis(axis, value) === 0)).toBe(true);
  }
});

test.each([[[38_000, 7_300]], [[7_300, 38_000]], [[100, 105, 2_000]], [[2_000, 100, 105, 98]]])(
  "of so few values as %j none is known to be the odd one",
  (values) => {
    const axis = vertical([line(values)], seen(values.length), linear);
    expect(values.every((value) => offAxis(axis, value) === 0)).toBe(true);
  },
);

test("lines of very different size are all in the chart", () => {
  const lines = [line(noisy(2)), line(noisy(40_000), "b", 2)];
  const axis = vertical(lines, seen(40), linear);
  expect(axis.max).toBeGreaterThan(40_000);
  expect(axis.min).toBe(0);
});

test("only what is seen has a say", () => {
  const axis = vertical([line([1, 1, 50, 50, 50, 50])], { from: 2, to: 5 }, linear);
  expect(axis.min).toBeGreaterThan(40);
});

test("from zero means from zero", () => {
  expect(vertical([line(noisy(200))], seen(40), { log: false, zero: true }).min).toBe(0);
});

test("a logarithmic axis has decades, or steps where there is less than one", () => {
  const wide = vertical([line([1, 10, 100, 1000])], seen(4), logarithmic);
  expect(wide.ticks).toEqual([1, 2, 5, 10, 20, 50, 100, 200, 500, 1000]);
  const narrow = vertical([line(noisy(200))], seen(40), logarithmic);
  expect(narrow.ticks.length).toBeGreaterThanOrEqual(2);
  expect(narrow.positionOf(100)).toBe(2);
  expect(offAxis(narrow, 0)).toBe(-1);
});

test("no values at all are no mistake", () => {
  expect(vertical([], seen(1), linear)).toMatchObject({ min: 0, max: 1 });
  expect(vertical([line([null])], seen(1), logarithmic)).toMatchObject({ min: 0, max: 1 });
});

test("a pixel leads back to its place", () => {
  const drawing = picture([line(noisy(200)), line(noisy(3), "b", 2)]);
  for (const width of [390, 1200]) {
    const layout = layoutOf(drawing, { from: 5, to: 20 }, { width, height: 320 }, true);
    expect(atOf(layout, xOf(layout, 7))).toBeCloseTo(7);
    expect(layout.right).toBeGreaterThan(layout.left + width / 2);
  }
});
