import { expect, test } from "vitest";
import { counts, nextSort, ordered, readOrder, shownRows } from "../../../src/views/compare/order";
import type { Verdict } from "../../../src/views/compare/ratio";
import type { ComparedRow } from "../../../src/views/compare/rows";

function row(name: string, ratio: number | null, verdict: Verdict): ComparedRow {
  return {
    case: {
      case: `boot4-${name}-virtual-jvm/hello/100`,
      configuration: "push-5x10s",
      boot: "boot4",
      server: name,
      model: "virtual",
      runtime: "jvm",
      workload: "hello",
      connections: 100,
    },
    metric: "throughput_rps",
    unit: "rps",
    better: "higher",
    base: null,
    head: null,
    pairs: null,
    ratio: ratio === null ? null : { ratio, low: ratio * 0.9, high: ratio * 1.1 },
    verdict,
    why: null,
  };
}

const rows = [
  row("tomcat", 0.5, "unknown"),
  row("jetty", 1.1, "better"),
  row("netty", 0.8, "worse"),
  row("undertow", null, "worse"),
];
const names = (found: readonly ComparedRow[]) => found.map(({ case: caseRow }) => caseRow.server);

test("by itself what changed stands first, the largest change on top", () => {
  const found = names(ordered(rows, readOrder(null)));
  expect(found).toEqual(["undertow", "netty", "jetty", "tomcat"]);
});

test("a column sorts both ways, and the address says how", () => {
  expect(names(ordered(rows, readOrder("ratio")))).toEqual([
    "undertow",
    "tomcat",
    "netty",
    "jetty",
  ]);
  expect(nextSort(readOrder(null), "ratio")).toBe("-ratio");
  expect(nextSort(readOrder("-ratio"), "ratio")).toBe("ratio");
  expect(nextSort(readOrder(null), "case")).toBe("case");
  expect(readOrder("nonsense")).toEqual(readOrder(null));
});

test("rows are narrowed by an axis, by the metric and by parts of names", () => {
  const shown = (query: string, words = "") =>
    names(shownRows(rows, new URLSearchParams(query), words));
  expect(shown("server=netty")).toEqual(["netty"]);
  expect(shown("metric=startup_s")).toEqual([]);
  expect(shown("", "virt JET")).toEqual(["jetty"]);
  expect(shown("connections=100&workload=")).toHaveLength(4);
});

test("verdicts are counted", () => {
  expect(counts(rows)).toEqual({ worse: 2, better: 1, changed: 0, same: 0, unknown: 1 });
});
