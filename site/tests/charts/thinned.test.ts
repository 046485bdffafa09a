import { expect, test } from "vitest";
import { bands } from "../../src/charts/band";
import type { Dot } from "../../src/charts/lines";
import { firstFrom, thinned } from "../../src/charts/thinned";
import { dot } from "./dots";

const all = { from: 0, to: 9_999 };
const many = Array.from({ length: 10_000 }, (_, at) => dot(at, Math.sin(at) + 10));
const changed = (at: number, more: Partial<Dot>) => many.with(at, dot(at, 10, more));

test("as many dots as there are pixels stay as they are", () => {
  expect(thinned(many.slice(0, 500), { from: 0, to: 499 }, 800)).toHaveLength(500);
});

test("many dots become a few for each column, and the least and the most are kept", () => {
  const dots = thinned(changed(4_321, { value: -5 }), all, 800);
  expect(dots.length).toBeLessThan(800 * 5);
  expect(dots.map(({ at }) => at)).toContain(4_321);
  expect(dots.map(({ at }) => at)).toEqual(dots.map(({ at }) => at).toSorted((a, b) => a - b));
});

test("what is marked, failed or has an event is never thinned out", () => {
  const marked = many.map((dot) => (dot.at % 17 === 3 ? { ...dot, marked: true } : dot));
  const positions = thinned(marked, all, 300).flatMap((dot) => (dot.marked ? dot.at : []));
  expect(positions).toHaveLength(marked.filter((dot) => dot.marked).length);
  const failed = thinned(changed(77, { value: null, failed: true }), all, 300);
  expect(failed.some((dot) => dot.failed)).toBe(true);
  expect(thinned(many, all, 300, new Set([5_005])).map(({ at }) => at)).toContain(5_005);
});

test("a gap breaks the thinned line too", () => {
  const gap = thinned(changed(5_000, { value: null }), all, 300);
  expect(gap.some(({ value }) => value === null)).toBe(true);
});

test("of a range also the neighbours are drawn, which its line leads to", () => {
  const seen = thinned(many, { from: 100, to: 110 }, 800).map(({ at }) => at);
  expect([seen[0], seen.at(-1)]).toEqual([99, 111]);
  expect(thinned([], all, 800)).toEqual([]);
  expect(firstFrom(many, 20_000)).toBe(10_000);
});

test("a band is broken where there is no value, and as wide as all that share a column", () => {
  const dots = [
    dot(0, 1, { low: 0.9, high: 1.1 }),
    dot(1, 1, { low: 0.5, high: 1.2 }),
    dot(2, null),
    dot(3, 2, { low: 1.9, high: 2.1 }),
  ];
  expect(bands(dots, 2)).toEqual([
    [{ at: 0, low: 0.5, high: 1.2 }],
    [{ at: 3, low: 1.9, high: 2.1 }],
  ]);
});
