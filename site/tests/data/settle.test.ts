import { expect, test } from "vitest";
import { casesOf, type IsWanted, settleClass, settleSeries } from "../../src/data/settle";
import { documents } from "../documents";

function sample(cases = 16) {
  const { index } = documents({ runs: 3, cases });
  const [row] = index.classes;
  if (row === undefined) throw new Error("no class");
  return { index, row };
}

test("hosts that an address names are kept, unknown ones give way to those of the newest run", () => {
  const { index, row } = sample();
  const older = { ...row, class: "0ld", latest: { ...row.latest, run: [] } };
  index.classes = [older, row];
  expect(settleClass(index, "0ld")?.class).toBe("0ld");
  expect(settleClass(index, "gone")?.class).toBe(row.class);
  expect(settleClass(index, null)?.class).toBe(row.class);
  index.runs.id = [];
  expect(settleClass(index, null)?.class).toBe("0ld");
});

test("what shows some cases, or answers, begins with hosts that have one", () => {
  const { index, row } = sample(2);
  const older = { ...row, class: "0ld", points: [0, 4], latest: { ...row.latest, run: [] } };
  index.classes = [older, { ...row, points: [4, 0] }];
  const [, second] = index.cases;
  const hasSecond: IsWanted = (cases) => cases.some((caseRow) => caseRow === second);
  expect(settleClass(index, null, hasSecond)?.class).toBe("0ld");
  expect(settleClass(index, row.class, hasSecond)?.class).toBe(row.class);
  expect(settleClass(index, null, () => false)?.class).toBe(row.class);
  expect(settleClass(index, null, (_, { points }) => points[1] === 4)?.class).toBe("0ld");
});

test("an empty history has no hosts to settle on", () => {
  expect(settleClass(documents({ runs: 0, cases: 0 }).index, null)).toBeNull();
});

test("a series is found by its case and by how it was measured", () => {
  const { index, row } = sample();
  const id = "boot4-jetty-virtual-jvm/pay/100";
  expect(settleSeries(index, row, `${id}@push-5x10s`)?.case).toBe(id);
  expect(settleSeries(index, row, id)?.case).toBe(id);
  expect(settleSeries(index, row, `${id}@gone-1x1s`)?.configuration).toBe("push-5x10s");
  expect(settleSeries(index, row, "boot9-no-such/pay/1")).toBeNull();
  expect(settleSeries(index, row, "")).toBeNull();
});

test("a case that these hosts never measured is none of their cases", () => {
  const { index, row } = sample(2);
  row.points = [0, 4];
  expect(casesOf(index, row)).toEqual([index.cases[1]]);
  row.points = [];
  expect(casesOf(index, row)).toEqual([]);
});

test("a case shows as it was measured last, unless the address says how", () => {
  const { index, row } = sample(2);
  const [one, two] = index.cases;
  if (one === undefined || two === undefined) throw new Error("no cases");
  index.cases = [one, { ...one, configuration: "nightly-3x10s" }];
  row.latest.time = ["2026-01-01T00:00:00Z", "2026-02-01T00:00:00Z"];
  const how = (name: string) => settleSeries(index, row, name)?.configuration;
  expect(how(one.case)).toBe("nightly-3x10s");
  expect(how(`${one.case}@push-5x10s`)).toBe("push-5x10s");
  expect(how(`${one.case}@gone-1x1s`)).toBe("nightly-3x10s");
});
