import { expect, test } from "vitest";
import type { LatestRow } from "../../src/data/latest";
import { type Figure, pairsOf, reversalsOf, STUDIES } from "../../src/data/studies";

const FIGURE: Figure = {
  boot: "boot4",
  server: "tomcat",
  model: "virtual",
  runtime: "native",
  workload: "pay",
  connections: 1000,
  metric: "throughput_rps",
  unit: "rps",
  values: [900],
};

interface RowFields {
  readonly server?: string;
  readonly runtime?: string;
  readonly boot?: string;
  readonly connections?: number;
  readonly status?: string;
  readonly median?: number;
  readonly half?: number;
}

/** A measured row: its interval is `half` wide to each side. */
function row({ status = "ok", median = 990, half = 5, ...axes }: RowFields = {}): LatestRow {
  const of = { boot: "boot4", server: "tomcat", runtime: "jvm", connections: 1000, ...axes };
  return {
    case: { ...of, model: "virtual", workload: "pay", case: "", configuration: "" },
    status,
    value: (metric: string) =>
      metric === "throughput_rps"
        ? { median, low: median - half, high: median + half, forks: 3 }
        : null,
  } as unknown as LatestRow;
}

test("the runtime that a study measured comes first, then its line of Spring Boot", () => {
  const native = row({ runtime: "native", boot: "boot3" });
  const same = row({ runtime: "native" });
  expect(pairsOf([FIGURE], [row(), native, same])[0]?.row).toBe(same);
  expect(pairsOf([FIGURE], [row(), native])[0]?.row).toBe(native);
});

test.each([
  ["another load", row({ connections: 100 })],
  ["another server", row({ server: "jetty" })],
  ["a case that failed", row({ status: "failed" })],
])("%s is no counterpart", (_, other) => {
  expect(pairsOf([FIGURE], [other])).toMatchObject([{ row: null, measured: null, ratio: null }]);
});

test("several published values count as their middle", () => {
  const of = (values: readonly number[]) => pairsOf([{ ...FIGURE, values }], [row()])[0];
  expect(of([3, 1, 2])?.published).toBe(2);
  expect(of([1, 2, 3, 10])?.published).toBe(2.5);
  expect(of([495])?.ratio).toBe(2);
});

test("beside a published zero there is no ratio", () => {
  expect(pairsOf([{ ...FIGURE, values: [0] }], [row()])[0]?.ratio).toBeNull();
});

test("an order that is the other way round here is reported once, however they stand", () => {
  const jetty = { ...FIGURE, server: "jetty", values: [500] };
  const rows = [row({ median: 400 }), row({ server: "jetty", median: 800 })];
  for (const figures of [
    [FIGURE, jetty],
    [jetty, FIGURE],
  ]) {
    const found = reversalsOf(pairsOf(figures, rows));
    expect(found).toHaveLength(1);
    expect(found[0]).toMatchObject({ there: 1.8, here: 2, first: { published: 900 } });
  }
});

test.each([
  ["lie close together", 400, 410, 5],
  ["are not statistically distinguishable", 400, 800, 300],
  ["have the study's order", 800, 400, 5],
])("two that %s here are no reversal", (_, tomcat, jetty, half) => {
  const figures = [FIGURE, { ...FIGURE, server: "jetty", values: [500] }];
  const rows = [row({ median: tomcat, half }), row({ server: "jetty", median: jetty, half })];
  expect(reversalsOf(pairsOf(figures, rows))).toEqual([]);
});

test("other loads have nothing to do with each other", () => {
  const other = { ...FIGURE, server: "jetty", values: [500], connections: 100 };
  const rows = [row({ median: 400 }), row({ server: "jetty", median: 800, connections: 100 })];
  expect(reversalsOf(pairsOf([FIGURE, other], rows))).toEqual([]);
});

test("the studies that the page brings along have figures of known form", () => {
  expect(STUDIES.length).toBeGreaterThanOrEqual(4);
  for (const { figures } of STUDIES) {
    for (const { values, workload, connections } of figures) {
      expect(values.every((value) => Number.isFinite(value) && value >= 0)).toBe(true);
      expect(workload === undefined).toBe(connections === undefined);
    }
  }
});
