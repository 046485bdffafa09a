import { expect, test } from "vitest";
import {
  distributionsAt,
  latencyAt,
  percentAt,
  positionOf,
  settleRate,
} from "../../src/data/distributions";
import type { LatestRow } from "../../src/data/latest";
import type { PublishedRun } from "../../src/data/published";

const row = (name: string, run: string, configuration = "latency-3x10s") =>
  ({ case: { case: name, configuration }, run }) as unknown as LatestRow;

interface Columns {
  readonly median: readonly (number | null)[];
  readonly low?: readonly (number | null)[];
}

function run(id: string, name: string, { median, low = median }: Columns): PublishedRun {
  const latency_s = { median, low, high: median };
  const percent = [50, 99, 99.9];
  const distributions = [{ capacity_percent: 50, offered_rps: 100, n: 3, percent, latency_s }];
  return {
    id,
    cases: [{ case: name, configuration: "latency-3x10s", distributions }],
  } as unknown as PublishedRun;
}

test("an unknown rate is the half", () => {
  expect(settleRate("all")).toBe(50);
  expect(settleRate("80")).toBe(80);
});

test("each row has the distribution of its own run, at the rate that is asked", () => {
  const runs = [run("one", "a", { median: [1, 2, 3] }), run("two", "b", { median: [4, 5, 6] })];
  const rows = [row("a", "one"), row("b", "two"), row("b", "one"), row("c", "gone")];
  const found = distributionsAt(runs, rows, 50);
  expect(found.map((distribution) => latencyAt(distribution, 99)?.median)).toEqual([2, 5]);
  expect(distributionsAt(runs, rows, 80)).toEqual([]);
});

test("a case that was measured in another way is another one", () => {
  const runs = [run("one", "a", { median: [1, 2, 3] })];
  expect(distributionsAt(runs, [row("a", "one", "nightly-3x10s")], 50)).toEqual([]);
});

test("what is no latency is no point, and costs the others nothing", () => {
  const odd = run("one", "a", { median: [0, 2, null], low: [0, null, 1] });
  const [found] = distributionsAt([odd], [row("a", "one")], 50);
  expect(found?.points).toEqual([{ percent: 99, value: { median: 2, low: 2, high: 2, forks: 3 } }]);
  const none = run("one", "a", { median: [null, -1, Number.NaN] });
  expect(distributionsAt([none], [row("a", "one")], 50)).toEqual([]);
});

test.each([50, 75, 90, 95, 99, 99.5, 99.9, 99.95, 99.99])("%d %% is found again", (percent) => {
  expect(percentAt(positionOf(percent))).toBe(percent);
});

test("each nine takes as much room as the one before", () => {
  const positions = [90, 99, 99.9].map((percent) => Math.log10(positionOf(percent)));
  expect(positions.map((position) => Number(position.toFixed(9)))).toEqual([1, 2, 3]);
});
