import { expect, test } from "vitest";
import { settle } from "../src/settle";
import { documents } from "./documents";

const { index } = documents({ runs: 3, cases: 16 });

test("an address without wishes shows the newest run's first case and metric", () => {
  expect(settle(index, {})?.choice).toEqual({
    case: index.cases[0]?.case,
    metric: "throughput_rps",
    host: "c0ffee12",
  });
});

test("what is known is kept, what is unknown is replaced", () => {
  const known = "boot4-jetty-virtual-jvm/pay/100";
  expect(settle(index, { case: known, metric: "no_such", host: "gone" })?.choice).toEqual({
    case: known,
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
