import { expect, test } from "vitest";
import { effectOf } from "../../../src/data/metrics";
import { ratioOf } from "../../../src/data/ratio";
import { isChange, judge, sizeOf } from "../../../src/views/compare/ratio";

const value = (median: number, spread = 0.01, forks = 5) => ({
  median,
  low: median * (1 - spread),
  high: median * (1 + spread),
  forks,
});
const usual = effectOf("throughput_rps", false);

test("the interval of a ratio joins those of both medians as squares on the log scale", () => {
  const found = ratioOf(value(100, 0.03), value(100, 0.04));
  expect(found?.ratio).toBe(1);
  // by hand: exp(-hypot(ln(100 / 96), ln(103 / 100))) and exp(hypot(ln(104 / 100), ln(100 / 97)))
  expect(found?.low).toBeCloseTo(0.9509, 3);
  expect(found?.high).toBeCloseTo(1.0509, 3);
});

test("turned round a ratio is its inverse, and so is its interval", () => {
  const [one, other] = [value(100, 0.02), value(90, 0.05)];
  const [there, back] = [ratioOf(one, other), ratioOf(other, one)];
  expect((there?.ratio ?? 0) * (back?.ratio ?? 0)).toBeCloseTo(1);
  expect((there?.low ?? 0) * (back?.high ?? 0)).toBeCloseTo(1);
});

test.each([
  ["higher", 90, "worse"],
  ["higher", 110, "better"],
  ["lower", 90, "better"],
  ["lower", 110, "worse"],
] as const)("where %s is better, %d after 100 is %s", (better, head, verdict) => {
  expect(judge(value(100), value(head), better, usual).verdict).toBe(verdict);
});

test("what is sure but small is no change, and what is wide cannot be told", () => {
  expect(judge(value(100, 0.001), value(102, 0.001), "higher", usual).verdict).toBe("same");
  expect(judge(value(100, 0.2), value(110, 0.2), "higher", usual)).toMatchObject({
    verdict: "unknown",
    why: "wide",
  });
});

test("where requests wait by design, one in a hundred counts", () => {
  const waiting = effectOf("throughput_rps", true);
  expect(judge(value(100, 0.001), value(98.5, 0.001), "higher", waiting).verdict).toBe("worse");
});

test("one fork tells a ratio and nothing of how sure it is", () => {
  const found = judge(value(100, 0, 1), value(50), "higher", usual);
  expect(found).toMatchObject({ verdict: "unknown", why: "one-fork" });
  expect(found.ratio).toEqual({ ratio: 0.5, low: null, high: null });
});

test("errors where there were none have no ratio, and are worse all the same", () => {
  const found = judge(value(0), value(0.02, 0.1), "lower", usual);
  expect(found).toEqual({ ratio: null, verdict: "worse", why: null });
  expect(sizeOf(found)).toBe(Number.POSITIVE_INFINITY);
  expect(judge(value(0), value(0), "lower", usual).verdict).toBe("same");
  expect(judge(value(0, 0, 1), value(0.1, 0, 1), "lower", usual).why).toBe("one-fork");
});

test("a value without sense has no ratio", () => {
  expect(ratioOf(value(Number.NaN), value(1))).toBeNull();
  expect(ratioOf(value(1e-300), value(1e300))).toBeNull();
  expect(isChange("unknown")).toBe(false);
});
