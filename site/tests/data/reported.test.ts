import { expect, test } from "vitest";
import type { CaseRow, ClassRow, Index } from "../../src/data/contract";
import { harnessesOf, isReported, metricsOf, reportedName } from "../../src/data/reported";
import { isOfService, serviceOf, servicesOf, serviceWords } from "../../src/data/service";
import { settleClass } from "../../src/data/settle";
import { loadName, namesApart, variantName } from "../../src/parts/names";
import { quantity } from "../../src/words/format";
import { documents } from "../documents";

const REPORTED = {
  harness: "JMH",
  benchmark: "org.example.ParseBench.parse",
  parameters: { size: "10" },
  figure: "average time",
  unit: "ns/op",
};

/** An index with a second host class, on which JMH has measured a time and bytes. */
function both(): { index: Index; springbenchClass: ClassRow; harnessClass: ClassRow } {
  const { index } = documents({ runs: 2, cases: 2 });
  const [springbenchClass] = index.classes;
  const [some] = index.cases;
  if (springbenchClass === undefined || some === undefined) throw new Error("no class");
  const rows: CaseRow[] = ["average time", "gc.alloc.rate.norm"].map((figure, at) => ({
    ...some,
    case: `jmh-ParseBench.parse/x-${at}/1`,
    configuration: "avgt-2x3-1s-w3",
    boot: "jmh",
    server: "ParseBench.parse",
    workload: figure,
    reported: { ...REPORTED, figure, unit: at === 0 ? "ns/op" : "B/op" },
  }));
  const at = index.cases.length;
  const column = (median: (number | null)[]) => ({ median, low: median, high: median });
  const harnessClass: ClassRow = {
    ...springbenchClass,
    class: "other-hosts",
    points: [...index.cases.map(() => 0), 1, 1],
    latest: {
      ...springbenchClass.latest,
      row: [at, at + 1],
      run: ["jmh-1", "jmh-1"],
      metrics: {
        reported_time_s: column([5e-8, null]),
        reported_size_bytes: column([null, 24]),
      },
    },
  };
  const metrics = [
    ...index.metrics,
    { name: "reported_time_s", unit: "s" as const, better: "lower" as const },
    { name: "reported_size_bytes", unit: "bytes" as const, better: "lower" as const },
  ];
  const extendedIndex = {
    ...index,
    metrics,
    cases: [...index.cases, ...rows],
    runs: { ...index.runs, id: [...index.runs.id, "jmh-1"] },
    classes: [{ ...springbenchClass, points: [...springbenchClass.points, 0, 0] }, harnessClass],
  };
  return {
    index: extendedIndex,
    springbenchClass: extendedIndex.classes[0] ?? springbenchClass,
    harnessClass,
  };
}

test("what another harness has measured is called as its file calls it", () => {
  const { index } = both();
  const [time, bytes] = index.cases.slice(-2) as [CaseRow, CaseRow];
  expect(reportedName(REPORTED)).toBe("ParseBench.parse, size=10: average time");
  expect(reportedName({ ...REPORTED, benchmark: "mvn -q package" })).toMatch(/^mvn -q package,/);
  expect(variantName(time)).toBe("ParseBench.parse, size=10: average time");
  expect([loadName(time), loadName(bytes)]).toEqual(["JMH, ns/op", "JMH, B/op"]);
  expect(namesApart([time, bytes])).toEqual([variantName(time), variantName(bytes)]);
  const hostile = { ...time, reported: { ...REPORTED, benchmark: "a\u202e\nb" } };
  expect(variantName(hostile)).toBe("a b, size=10: average time");
});

test("only metrics that the chosen series have are offered, and none of these for others", () => {
  const { index, springbenchClass, harnessClass } = both();
  const names = (row: ClassRow, cases: readonly CaseRow[]) =>
    metricsOf(index, row, cases).map(({ name }) => name);
  const [time, bytes] = index.cases.slice(-2) as [CaseRow, CaseRow];
  expect(names(harnessClass, [time])).toEqual(["reported_time_s"]);
  expect(names(harnessClass, [time, bytes])).toEqual(["reported_time_s", "reported_size_bytes"]);
  expect(names(springbenchClass, index.cases.slice(0, 1))).toContain("throughput_rps");
  expect(names(springbenchClass, index.cases.slice(0, 1))).not.toContain("reported_time_s");
});

test("hosts of another harness are distinguished, and are not what a reader begins with", () => {
  const { index, springbenchClass, harnessClass } = both();
  expect([isReported(index, springbenchClass), isReported(index, harnessClass)]).toEqual([
    false,
    true,
  ]);
  expect(harnessesOf(index.cases)).toEqual(["JMH"]);
  expect(settleClass(index, null)?.class).toBe(springbenchClass.class);
  expect(settleClass(index, harnessClass.class)?.class).toBe(harnessClass.class);
  expect(settleClass({ ...index, classes: [harnessClass] }, null)?.class).toBe(harnessClass.class);
});

test("what another harness has measured is of no service", () => {
  const { index } = both();
  const [time] = index.cases.slice(-1) as [CaseRow];
  expect([serviceOf(time), serviceWords("by-jmh"), serviceWords("orders")]).toEqual([
    "by-jmh",
    "",
    "orders",
  ]);
  const serviceCase = { ...time, reported: null, boot: "app", server: "orders" };
  expect(isOfService({ cases: [serviceCase, time] })).toBe(true);
  expect(servicesOf({ cases: [serviceCase, time] })).toEqual(["orders"]);
  expect(isOfService({ cases: [time] })).toBe(false);
});

test.each([
  [5.36e-8, "s", "53.6 ns"],
  [4.16e-6, "s", "4.16 µs"],
  [24, "bytes", "24 B"],
  [2048, "bytes", "2 KiB"],
  [432013312, "bytes", "412 MiB"],
])("%d %s is %s", (value, unit, words) => {
  expect(quantity(value, unit)).toBe(words);
});
