import { expect, test } from "vitest";
import { latestRows } from "../../../src/data/latest";
import { loadsOf, settleLoad } from "../../../src/data/loads";
import { shapeOf } from "../../../src/views/scaling/bottlenecks";
import {
  limitsOf,
  pointsOf,
  scaledVariants,
  scales,
  theoreticalMaxOf,
} from "../../../src/views/scaling/curves";
import { fieldsOf } from "../../../src/views/scaling/exported";
import { documents } from "../../documents";

function rowsOf(cases: number, workload: string) {
  const { index } = documents({ runs: 3, cases });
  const [hosts] = index.classes;
  if (hosts === undefined) throw new Error("no class");
  const load = settleLoad(loadsOf(latestRows(index, hosts)), workload);
  if (load === null) throw new Error("no load");
  return { load, rows: load.counts.flatMap((count) => count.rows) };
}

const { load, rows } = rowsOf(320, "pay");
const variants = scaledVariants(rows);

test("a variant is a curve where it was measured with several numbers of connections", () => {
  expect(scales(load)).toBe(true);
  expect(scales(rowsOf(40, "pay").load)).toBe(false);
  // that of one number is left out
  expect(variants.some(({ id }) => id.endsWith("-jvm-aot"))).toBe(false);
  const [first] = variants;
  expect(first?.rows.map((row) => row.case.connections)).toEqual([100, 400, 1000, 3000]);
});

test("the same server and model have one colour, each way to run it its own dashes", () => {
  const find = (id: string) => variants.find((variant) => variant.id === id);
  const jvm = find("boot4-tomcat-virtual-jvm");
  const native = find("boot4-tomcat-virtual-native");
  expect(jvm?.colour).toBe(native?.colour);
  expect(jvm?.dash).not.toEqual(native?.dash);
  expect(jvm?.colour).not.toBe(find("boot4-jetty-virtual-jvm")?.colour);
});

test("names are distinguished by the line of Spring Boot only where they must be", () => {
  expect(variants.every(({ name }) => !name.includes("boot"))).toBe(true);
  const older = rows.map((row) => ({ ...row, case: { ...row.case, boot: "boot2" } }));
  const both = scaledVariants([...rows, ...older]).map(({ name }) => name);
  expect(both).toContain("Tomcat virtual, boot4");
  expect(new Set(both).size).toBe(both.length);
});

test("a failed case is no point, and neither is zero on a logarithmic axis", () => {
  const [first] = variants;
  if (first === undefined) throw new Error("no variant");
  const [one, ...otherRows] = first.rows;
  if (one === undefined) throw new Error("no row");
  const failed = { ...first, rows: [{ ...one, status: "failed" }, ...otherRows] };
  expect(pointsOf(failed, "throughput_rps")).toHaveLength(3);
  expect(pointsOf(first, "error_ratio")).toEqual([]);
});

test("the theoretical maximum grows with the connections; where nothing waits there is none", () => {
  expect(theoreticalMaxOf(variants)).toEqual([
    [100, 400],
    [400, 1600],
    [1000, 4000],
    [3000, 12000],
  ]);
  expect(theoreticalMaxOf(scaledVariants(rowsOf(320, "hello").rows))).toEqual([]);
});

test("at most connections the answer names who serves most and least", () => {
  const limits = limitsOf(variants);
  expect(limits).toMatchObject({ connections: 3000, all: 16, keepUp: 0 });
  expect(limits?.best.case.model).toBe("virtual");
  expect(limits?.worst.case.model).toBe("platform");
  expect(limitsOf([])).toBeNull();
});

test("what limits a point has a shape; what has none of its own is hollow", () => {
  expect(shapeOf("latency").symbol).toBe("circle");
  expect(shapeOf("upstream")).toEqual(shapeOf(null));
  expect(shapeOf("constructor")).toEqual(shapeOf(null));
});

test("a point is a row of the file", () => {
  const [row] = rows;
  if (row === undefined) throw new Error("no row");
  expect(fieldsOf(row)).toMatchObject({ connections: 100, theoretical_max_rps: 400, forks: 5 });
});
