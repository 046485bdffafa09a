import { expect, test } from "vitest";
import type { AffectedSeries, Event } from "../../../src/data/contract";
import type { Rank, Ranking, RankOf } from "../../../src/data/rankings";
import { ratioOf } from "../../../src/data/ratio";
import { byChangePoints, byRanking } from "../../../src/views/compare/conclusions";
import { isChange, sizeOf } from "../../../src/views/compare/ratio";
import { comparedMetrics, sidesOf } from "../../../src/views/compare/rows";
import { documents } from "../../documents";
import { publishedRun } from "../../published";

const value = (median: number) => ({ median, low: median, high: median, forks: 5 });

test("a ratio is that of the medians; what no number can say is none", () => {
  expect(ratioOf(value(100), value(90))).toBeCloseTo(0.9);
  expect(ratioOf(value(0), value(90))).toBeNull();
  expect(ratioOf(value(90), value(0))).toBeNull();
});

const { index } = documents({ runs: 3, cases: 16 });
const [base, other] = sidesOf(publishedRun(index, "one"));
const throughput = comparedMetrics(index).find(({ name }) => name === "throughput_rps");
if (!(base && other && throughput)) throw new Error("no side");

const [MARCH, APRIL, MAY] = [
  "2026-03-01T00:00:00Z",
  "2026-04-01T00:00:00Z",
  "2026-05-01T00:00:00Z",
];

/** A change point of the throughput of the case, in April. */
function step(ratio: number, state: Event["state"], more: Partial<AffectedSeries> = {}): Event {
  const commit = { sha: "aaaaaaaaaaaa", message: "", author: "" };
  const affected = {
    case: base?.case.case,
    configuration: base?.case.configuration,
    metric: "throughput_rps",
    host_class: base?.hostClass,
    ratio,
    ...more,
  };
  return {
    state,
    culprit: { before: { ...commit, time: MARCH }, after: { ...commit, time: APRIL } },
    affected_series: [affected],
  } as unknown as Event;
}

test("what the history has found between two runs is the verdict", () => {
  const evaluated = (events: readonly Event[], from: string | null, to: string | null) =>
    byChangePoints(events, from, to)(base, base, throughput);
  expect(evaluated([step(0.9, "confirmed")], MARCH, MAY).verdict).toBe("worse");
  expect(evaluated([step(1.1, "acknowledged")], MARCH, MAY).verdict).toBe("better");
  expect(evaluated([step(0.9, "suspected")], MARCH, MAY).verdict).toBe("suspected");
  // turned round it is the opposite
  expect(evaluated([step(0.9, "confirmed")], MAY, MARCH).verdict).toBe("better");
  const nothing = { verdict: "unknown", why: "no-step" };
  expect(evaluated([], MARCH, MAY)).toEqual(nothing);
  expect(evaluated([step(0.9, "rejected")], MARCH, MAY)).toEqual(nothing);
  expect(evaluated([step(0.9, "confirmed")], APRIL, MAY)).toEqual(nothing);
  expect(evaluated([step(0.9, "confirmed")], null, MAY)).toEqual(nothing);
  expect(evaluated([step(0.9, "confirmed", { metric: "startup_s" })], MARCH, MAY)).toEqual(nothing);
  expect(evaluated([step(0.9, "confirmed", { configuration: "x-1x1s" })], MARCH, MAY)).toEqual(
    nothing,
  );
  // a comparison saw it, whatever the way of the runs
  expect(
    evaluated([step(0.9, "confirmed", { configuration: "compare" })], MARCH, MAY).verdict,
  ).toBe("worse");
});

test("two variants differ where the run that measured both has ranked them apart", () => {
  const ranking = {} as Ranking;
  const ranks = (one: readonly [number, number], two: readonly [number, number]): RankOf => {
    const rankWith = ([first, last]: readonly [number, number]): Rank => ({
      ...{ ranking, position: 0, first, last, ratio: 1, low: 1, high: 1 },
    });
    return (row) => (row.case.case === base.case.case ? rankWith(one) : rankWith(two));
  };
  const evaluated = (rankOf: RankOf) => byRanking(rankOf)(base, other, throughput).verdict;
  expect(evaluated(ranks([1, 1], [2, 3]))).toBe("worse");
  expect(evaluated(ranks([3, 3], [1, 2]))).toBe("better");
  expect(evaluated(ranks([1, 2], [2, 3]))).toBe("same");
  expect(evaluated(() => null)).toBe("unknown");
});

test("what has no ratio and yet has changed is the largest; what cannot be decided is the least", () => {
  expect(sizeOf({ ratio: null, verdict: "worse", why: null })).toBe(Number.POSITIVE_INFINITY);
  expect(sizeOf({ ratio: null, verdict: "unknown", why: "absent" })).toBe(-1);
  expect(isChange("changed")).toBe(true);
  expect(isChange("same")).toBe(false);
});
