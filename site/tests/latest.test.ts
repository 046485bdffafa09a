import { expect, test } from "vitest";
import { latestTables } from "../src/latest";
import { documents } from "./documents";

function tables(change: (row: ReturnType<typeof first>) => void = () => undefined) {
  const { index } = documents({ runs: 2, cases: 16 });
  const row = first(index);
  change(row);
  return latestTables(index, row);
}

function first(index: ReturnType<typeof documents>["index"]) {
  const [row] = index.classes;
  if (row === undefined) throw new Error("no class");
  return row;
}

test("each workload has a table, best throughput first", () => {
  const found = tables();
  expect(found.map(({ workload }) => workload)).toEqual(["hello", "pay"]);
  const rates = found[0]?.rows.map(({ median }) => median["throughput_rps"] ?? 0) ?? [];
  expect(rates).toEqual(rates.toSorted((a, b) => b - a));
});

test.each(["load-generator", "compiling"] as const)(
  "what is not the server's number (%s) is never ranked above what is",
  (bound) => {
    const found = tables((row) => {
      row.latest.bound[6] = bound;
    });
    expect(found[0]?.rows.at(-1)?.bound).toBe(bound);
  },
);

test("a row whose case the index does not name is left out", () => {
  const found = tables((row) => {
    row.latest.row[0] = 999;
  });
  expect(found[0]?.rows).toHaveLength(7);
});

test("a case that was measured in two ways has the row of the newer one", () => {
  const { index } = documents({ runs: 2, cases: 2 });
  const row = first(index);
  const [one, two] = index.cases;
  if (one === undefined || two === undefined) throw new Error("no cases");
  index.cases = [one, { ...one, conditions: "nightly-3x10s" }];
  row.latest.time = ["2026-01-01T00:00:00Z", "2026-02-01T00:00:00Z"];
  const rows = latestTables(index, row).flatMap((table) => table.rows);
  expect(rows.map((each) => each.case.conditions)).toEqual(["nightly-3x10s"]);
  row.latest.time = ["2026-03-01T00:00:00Z", "2026-02-01T00:00:00Z"];
  const again = latestTables(index, row).flatMap((table) => table.rows);
  expect(again.map((each) => each.case.conditions)).toEqual(["push-5x10s"]);
});

test("each row knows its run, its age and what is said of it", () => {
  const [row] = tables()[0]?.rows.filter((each) => each.notes.length > 0) ?? [];
  expect(row?.notes[0]).toContain("200 threads");
  expect(row?.run).toContain("push");
  expect(row?.startedAt).toMatch(/^2026-/);
  expect(row?.spread).toBeCloseTo(0.015, 2);
});
