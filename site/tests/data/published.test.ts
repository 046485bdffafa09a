import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { syntheticFiles } from "../../scripts/synthetic.mjs";
import type { ClassRow, Index } from "../../src/data/contract";
import { loadReleaseComparisons, loadRun, measuredBetween } from "../../src/data/published";
import { findRun, loadRunsOf } from "../../src/data/runs";
import { compared } from "../compared";
import { comparison, publishedRun } from "../published";

const files = new Map<string, string | Buffer>();
let requests: string[] = [];

beforeEach(() => {
  files.clear();
  requests = [];
  const baseURI = "https://example.invalid/page/";
  vi.stubGlobal("document", { baseURI, getElementById: () => null });
  vi.stubGlobal("fetch", async (address: URL) => {
    const path = address.pathname.replace("/page/data/", "");
    requests.push(path);
    const found = files.get(path);
    if (found === undefined) return new Response("", { status: 404 });
    return new Response(typeof found === "string" ? found : new Uint8Array(found));
  });
});

afterEach(() => vi.unstubAllGlobals());

function history() {
  for (const [path, content] of syntheticFiles({ runs: 6, cases: 2, perMonth: 2 })) {
    files.set(path, JSON.stringify(content));
  }
  const index = JSON.parse(String(files.get("index.json"))) as Index;
  return { index, row: index.classes[0] as ClassRow };
}

const pack = (content: object) => gzipSync(JSON.stringify(content));

test("a run is fetched by its name, and unpacked", async () => {
  const { index } = history();
  files.set("runs/one.json.gz", pack(publishedRun(index, "one")));
  expect((await loadRun("one")).id).toBe("one");
  await expect(loadRun("two")).rejects.toMatchObject({ what: "problem.missing" });
});

test("a name that is no file's name is never fetched", async () => {
  await expect(loadRun("../index")).rejects.toMatchObject({ what: "problem.missing" });
  expect(requests).toEqual([]);
});

test("a run that was cut off is one sentence", async () => {
  const { index } = history();
  files.set("runs/one.json.gz", pack(publishedRun(index, "one")).subarray(0, 90));
  await expect(loadRun("one")).rejects.toMatchObject({ what: "problem.packed" });
});

test("measured comparisons come from the evidence, in either direction", async () => {
  const { index } = history();
  files.set("evidence.json.gz", pack({ schema: 1, comparisons: [comparison({ ratio: 0.8 })] }));
  const forward = await measuredBetween(index, "aaaaaaaaaaaa", "bbbbbbbb");
  const back = await measuredBetween(index, "bbbbbbbbbbbb", "aaaaaaaaaaaa");
  expect(forward[0]?.findings[0]?.ratio).toBe(0.8);
  expect(back[0]?.findings[0]?.ratio).toBeCloseTo(1.25);
  expect(await measuredBetween(index, "aaaaaaaaaaaa", "cccccccccccc")).toEqual([]);
});

test("a comparison that found nothing is found by the lists, in either direction", async () => {
  const { index } = history();
  index.compared = ["bb", "cc"];
  const one = comparison({ ratio: 0.8, verdict: "unchanged" });
  const rows = [
    { id: one.id, base: one.base.sha, head: one.head.sha },
    { id: "another", base: "cccccccccccc", head: one.head.sha },
  ];
  files.set("compared/bb.json", JSON.stringify({ schema: 1, comparisons: rows }));
  files.set(`comparisons/${one.id}.json.gz`, pack(one));
  const [forward] = await measuredBetween(index, one.base.sha, one.head.sha);
  const [back] = await measuredBetween(index, one.head.sha.slice(0, 7), one.base.sha);
  expect(forward?.findings[0]?.ratio).toBe(0.8);
  expect(back?.findings[0]?.ratio).toBeCloseTo(1.25);
  expect(requests).not.toContain("evidence.json.gz");
  // commits that no list can name are not asked for
  requests = [];
  expect(await measuredBetween(index, "aaaaaaaaaaaa", "dddddddddddd")).toEqual([]);
  expect(requests).toEqual([]);
});

test("without any evidence nothing was measured side by side", async () => {
  expect(await measuredBetween(history().index, "aaaaaaaaaaaa", "bbbbbbbbbbbb")).toEqual([]);
});

test("comparisons of releases are one file, which a history without any is not asked for", async () => {
  const { index } = history();
  expect(await loadReleaseComparisons(index)).toEqual([]);
  expect(requests).toEqual([]);
  index.compared = ["bb"];
  expect(await loadReleaseComparisons(index)).toEqual([]);
  const both = [comparison({}), compared("4.0.0", "4.0.1")];
  files.set("evidence.json.gz", pack({ schema: 1, comparisons: both }));
  const found = await loadReleaseComparisons(index);
  expect(found.map(({ head }) => head.message)).toEqual(["Spring Boot 4.0.1"]);
});

test("what an event rests on is fetched by itself", async () => {
  const { index } = history();
  const one = comparison({});
  const evidence = { comparison: one.id, base: one.base.sha, head: one.head.sha };
  index.events = [{ evidence: [evidence] }] as unknown as NonNullable<Index["events"]>;
  files.set(`comparisons/${one.id}.json.gz`, pack(one));
  expect(await measuredBetween(index, one.base.sha, one.head.sha)).toHaveLength(1);
  expect(requests).toEqual([`comparisons/${one.id}.json.gz`]);
});

test("a commit of long ago is found in its month, and no further ones are read", async () => {
  const { index, row } = history();
  const old = index.commits[2]?.sha ?? "";
  expect((await findRun(row, old))?.id).toBe(index.runs.id[2]);
  expect(requests).toEqual(
    ["2026-03", "2026-02"].map((month) => `series/c0ffee12/${month}/month.json`),
  );
  expect(await findRun(row, "fedcba987654")).toBeNull();
});

test("with several host classes, the runs offered are those of one", async () => {
  const { index, row } = history();
  expect(await loadRunsOf(index, row)).toHaveLength(6);
  expect(requests).toEqual([]);
  const two = { ...index, classes: [row, { ...row, class: "decaf000" }] };
  const runs = await loadRunsOf(two, row);
  expect(runs.map(({ id }) => id)).toEqual(index.runs.id.toReversed());
});
