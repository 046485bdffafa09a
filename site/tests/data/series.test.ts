import { expect, test } from "vitest";
import { chunkPaths } from "../../src/data/contract";
import { Problem } from "../../src/data/load";
import { LOST, pointsOf } from "../../src/data/points";
import { joined, newestChunks } from "../../src/data/series";
import { documents } from "../documents";

test("only as many chunks are fetched as the wanted runs take", () => {
  const row = documents({ runs: 450, cases: 1, chunk: 200 }).index.classes[0];
  if (row === undefined) throw new Error("no class");
  expect(newestChunks(row, 1)).toEqual(["00002"]);
  expect(newestChunks(row, 200)).toEqual(["00001", "00002"]);
  expect(newestChunks(row, 10_000)).toEqual(["00000", "00001", "00002"]);
  expect(newestChunks({ ...row, chunks: [] }, 10)).toEqual([]);
});

test("a case is a file of its chunk", () => {
  expect(chunkPaths("c0ffee12", "00001", "boot4-tomcat-virtual-jvm/pay/100", "quick-1x6s")).toEqual(
    {
      chunk: "series/c0ffee12/00001/chunk.json",
      series: "series/c0ffee12/00001/boot4-tomcat-virtual-jvm~pay~100@quick-1x6s.json",
    },
  );
});

test.each(["..", "a b", "", "https://elsewhere.example", "x?y"])("'%s' names no file", (name) => {
  expect(() => chunkPaths(name, "00001", "a/b/1", "quick")).toThrow(RangeError);
});

test("no line leads over runs that could not be loaded", () => {
  const made = documents({ runs: 2, cases: 1, chunk: 2 });
  const part = pointsOf(made.chunk, made.series, "throughput_rps");
  const lost = new Problem("problem.gone", { path: "x" });
  const statuses = (parts: Parameters<typeof joined>[0]) => joined(parts).map((p) => p.status);
  expect(statuses([part, lost, part])).toEqual(["ok", "ok", LOST, "ok", "ok"]);
  expect(statuses([part, lost, [], lost, part])).toEqual(["ok", "ok", LOST, "ok", "ok"]);
  expect(statuses([lost, part])).toEqual(["ok", "ok"]);
  expect(statuses([part, lost])).toEqual(["ok", "ok"]);
  expect(joined([part, lost, part])[2]?.median).toBeNull();
});
