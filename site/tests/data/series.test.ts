import { expect, test } from "vitest";
import { monthPaths } from "../../src/data/contract";
import { Problem } from "../../src/data/load";
import { LOST, pointsOf } from "../../src/data/points";
import { joined, newestMonths } from "../../src/data/series";
import { documents } from "../documents";

test("only as many months are fetched as the wanted runs take", () => {
  const row = documents({ runs: 450, cases: 1, perMonth: 200 }).index.classes[0];
  if (row === undefined) throw new Error("no class");
  expect(newestMonths(row, 1)).toEqual(["2026-03"]);
  expect(newestMonths(row, 200)).toEqual(["2026-02", "2026-03"]);
  expect(newestMonths(row, 10_000)).toEqual(["2026-01", "2026-02", "2026-03"]);
  expect(newestMonths({ ...row, months: [] }, 10)).toEqual([]);
});

test("a case is a file of its month", () => {
  expect(
    monthPaths("c0ffee12", "2026-02", "boot4-tomcat-virtual-jvm/pay/100", "quick-1x6s"),
  ).toEqual({
    month: "series/c0ffee12/2026-02/month.json",
    series: "series/c0ffee12/2026-02/boot4-tomcat-virtual-jvm~pay~100@quick-1x6s.35cc6d05.json",
  });
});

test.each(["..", "a b", "", "https://elsewhere.example", "x?y"])("'%s' names no file", (name) => {
  expect(() => monthPaths(name, "2026-02", "a/b/1", "quick")).toThrow(RangeError);
});

test("no line leads over runs that could not be loaded", () => {
  const sample = documents({ runs: 2, cases: 1, perMonth: 2 });
  const part = pointsOf(sample.month, sample.series, "throughput_rps");
  const lost = new Problem("problem.gone", { path: "x" });
  const statuses = (parts: Parameters<typeof joined>[0]) => joined(parts).map((p) => p.status);
  expect(statuses([part, lost, part])).toEqual(["ok", "ok", LOST, "ok", "ok"]);
  expect(statuses([part, lost, [], lost, part])).toEqual(["ok", "ok", LOST, "ok", "ok"]);
  expect(statuses([lost, part])).toEqual(["ok", "ok"]);
  expect(statuses([part, lost])).toEqual(["ok", "ok"]);
  expect(joined([part, lost, part])[2]?.median).toBeNull();
});
