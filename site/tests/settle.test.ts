import { expect, test } from "vitest";
import { settle } from "../src/settle";
import { documents } from "./documents";

const { index } = documents({ runs: 3, cases: 16 });

test("an address without wishes shows the newest run's first case and metric", () => {
  expect(settle(index, {})?.choice).toEqual({
    case: index.cases[0]?.case,
    how: "push-5x10s",
    metric: "throughput_rps",
    host: "c0ffee12",
  });
});

test("what is known is kept, what is unknown is replaced", () => {
  const known = "boot4-jetty-virtual-jvm/pay/100";
  expect(settle(index, { case: known, metric: "no_such", host: "gone" })?.choice).toEqual({
    case: known,
    how: "push-5x10s",
    metric: "throughput_rps",
    host: "c0ffee12",
  });
});

test("a case that these hosts never measured gives way to the closest one", () => {
  const [row] = index.classes;
  if (row === undefined) throw new Error("no class");
  const points = index.cases.map((each) =>
    each.connections > 100 || each.workload === "pay" ? 1 : 0,
  );
  const found = settle(
    { ...index, classes: [{ ...row, points }] },
    { case: index.cases[1]?.case ?? "" },
  );
  expect(found?.choice.case).toMatch(/\/pay\/100$/);
});

test("an empty history has nothing to settle on", () => {
  expect(settle(documents({ runs: 0, cases: 0 }).index, {})).toBeNull();
});

test("a case shows as it was measured last, unless the address says how", () => {
  const made = documents({ runs: 3, cases: 2 }).index;
  const [one, two] = made.cases;
  const [row] = made.classes;
  if (one === undefined || two === undefined || row === undefined) throw new Error("no cases");
  made.cases = [one, { ...one, conditions: "nightly-3x10s" }];
  row.latest.time = ["2026-01-01T00:00:00Z", "2026-02-01T00:00:00Z"];
  expect(settle(made, { case: one.case })?.choice.how).toBe("nightly-3x10s");
  expect(settle(made, { case: one.case, how: "push-5x10s" })?.choice.how).toBe("push-5x10s");
  expect(settle(made, { case: one.case, how: "gone-1x1s" })?.choice.how).toBe("nightly-3x10s");
});
