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
    row.latest.case[0] = 999;
  });
  expect(found[0]?.rows).toHaveLength(7);
});
