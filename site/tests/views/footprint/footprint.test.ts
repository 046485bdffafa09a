import { expect, test } from "vitest";
import { latestRows } from "../../../src/data/latest";
import { loadsOf, settleCount, settleLoad } from "../../../src/data/loads";
import { rankLookup } from "../../../src/data/rankings";
import { exchangesOf } from "../../../src/views/footprint/exchange";
import {
  cellsOf,
  columnsOf,
  fieldsOf,
  groupsOf,
  nextSort,
  readOrder,
} from "../../../src/views/footprint/rows";
import { documents } from "../../documents";
import { publishedRun } from "../../published";

const { index } = documents({ runs: 3, cases: 200 });
const [hosts] = index.classes;
if (hosts === undefined) throw new Error("no class");
const rankOf = rankLookup([publishedRun(index, index.runs.id.at(-1) ?? "")]);
const loads = loadsOf(latestRows(index, hosts));
const load = settleLoad(loads, "hello");
const rows = (load && settleCount(load, "100")?.rows) ?? [];
const columns = columnsOf(index, rows);
const startup = columns.find(({ name }) => name === "startup_s");
if (startup === undefined) throw new Error("no startup");

test("a load that is not there gives way to the first, its connections to those of most", () => {
  expect(settleLoad(loads, "gone")?.workload).toBe(loads[0]?.workload);
  expect(settleLoad([], "gone")).toBeNull();
  expect(load && settleCount(load, "77")?.connections).toBe(100);
  expect(load?.counts.map(({ connections }) => connections)).toEqual([100, 400, 1000]);
});

test("only what was published is a column, in the order in which a reader asks", () => {
  const names = columns.map(({ name }) => name);
  expect(names.slice(0, 3)).toEqual(["startup_s", "memory_idle_bytes", "memory_peak_bytes"]);
  expect(names).not.toContain("allocated_bytes_per_request");
  expect(names).not.toContain("throughput_rps");
});

test("a cell has the rank that its run has given it, and the best of its column sets the bars", () => {
  const memory = columns.find(({ name }) => name === "memory_peak_bytes");
  if (memory === undefined) throw new Error("no memory");
  const cells = [...cellsOf(memory, rows, rankOf).values()];
  const ranked = cells.filter(({ rank }) => rank !== null);
  expect(ranked.length).toBeGreaterThan(2);
  expect(Math.min(...ranked.map(({ rank }) => rank?.ratio ?? 0))).toBe(1);
  expect(Math.max(...cells.map(({ share }) => share))).toBe(1);
  const unranked = [...cellsOf(memory, rows, () => null).values()];
  expect(unranked.every(({ rank }) => rank === null)).toBe(true);
});

test("what failed has no cell", () => {
  const [first, ...otherRows] = rows;
  if (first === undefined) throw new Error("no row");
  const failed = { ...first, status: "failed" };
  expect(cellsOf(startup, [failed, ...otherRows], () => null).has(failed)).toBe(false);
});

test("rows are grouped by runtime and sorted within; a head sorts up first, then down", () => {
  const up = readOrder(null, columns);
  expect(up).toEqual({ metric: "startup_s", down: false });
  const groups = groupsOf(rows, up);
  expect(groups.map(({ runtime }) => runtime)).toEqual(["jvm", "jvm-aot", "native"]);
  const times = groups[0]?.rows.map(({ median }) => median["startup_s"] ?? 0) ?? [];
  expect(times).toEqual(times.toSorted((a, b) => a - b));
  expect(nextSort(up, "startup_s")).toBe("-startup_s");
  const down = readOrder("-startup_s", columns);
  expect(nextSort(down, "startup_s")).toBe("startup_s");
  const back = groupsOf(rows, down)[0]?.rows.map(({ median }) => median["startup_s"] ?? 0);
  expect(back).toEqual(times.toReversed());
  expect(readOrder("-gone", columns)).toEqual(up);
});

test("a native image starts sooner and takes more CPU, over all variants that have both", () => {
  const native = exchangesOf(rows, index.metrics, rankOf).find(
    ({ runtime }) => runtime === "native",
  );
  expect(native?.pairs).toBe(8);
  const effects = Object.fromEntries(
    native?.lines.map(({ metric, effect }) => [metric, effect]) ?? [],
  );
  expect(effects).toMatchObject({
    startup_s: "gain",
    memory_idle_bytes: "gain",
    cpu_per_request_s: "cost",
    throughput_rps: "cost",
    threads_max: "none",
  });
  const line = native?.lines.find(({ metric }) => metric === "startup_s");
  expect(line?.ratio).toBeCloseTo(0.045, 2);
  expect(line?.low).toBeLessThan(line?.ratio ?? 0);
});

test("what is not ranked tells nothing, and one runtime alone has nothing to exchange", () => {
  const [one] = rows.filter((row) => row.case.runtime === "jvm");
  const [other] = rows.filter((row) => row.case.runtime === "native");
  if (one === undefined || other === undefined) throw new Error("no row");
  const single = { ...other, value: (name: string) => once(other.value(name)) };
  const [exchange] = exchangesOf([one, single], index.metrics, () => null);
  expect(exchange?.lines.every(({ effect, low }) => effect === "none" && low === null)).toBe(true);
  expect(exchangesOf([one], index.metrics, rankOf)).toEqual([]);
});

function once(value: ReturnType<(typeof rows)[number]["value"]>) {
  return value === null ? null : { ...value, forks: 1 };
}

test("a file has the edges of each interval, and none of one fork", () => {
  const [first] = rows;
  if (first === undefined) throw new Error("no row");
  const fields = fieldsOf(first, [startup]);
  expect(fields["startup_s_low"]).toBeLessThan(Number(fields["startup_s"]));
  const single = { ...first, value: (name: string) => once(first.value(name)) };
  expect(fieldsOf(single, [startup])["startup_s_low"]).toBeNull();
});
