import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { CaseRow, ClassRow, Event, Index } from "../../../src/data/contract";
import type { ReleaseSeries } from "../../../src/data/releases";
import { stepsOf } from "../../../src/views/releases/found";
import { findingOf, loadNeighbours, optionsOf } from "../../../src/views/releases/neighbours";
import { documents } from "../../documents";
import { comparison } from "../../published";

const CASE = "boot4-tomcat-virtual-jvm/hello/100";
const files = new Map<string, string | Uint8Array<ArrayBuffer>>();

beforeEach(() => {
  files.clear();
  vi.stubGlobal("document", {
    baseURI: "https://example.invalid/page/",
    getElementById: () => null,
  });
  vi.stubGlobal("fetch", async (address: URL) => {
    const found = files.get(address.pathname.replace("/page/data/", ""));
    return found === undefined ? new Response("", { status: 404 }) : new Response(found);
  });
});

afterEach(() => vi.unstubAllGlobals());

function series(...shas: readonly (readonly [version: string, sha: string])[]): ReleaseSeries {
  const values = shas.map(([version, sha]) => ({
    version,
    sha,
    value: 1,
    low: 1,
    high: 1,
    runs: 1,
  }));
  return { of: { case: CASE } as CaseRow, values };
}

const RELEASES = series(
  ["4.0.0", "aaaaaaaaaaaa"],
  ["4.0.1", "bbbbbbbbbbbb"],
  ["4.0.2", "cccccccc"],
);

function history(ratio: number): { index: Index; row: ClassRow } {
  const { index } = documents({ runs: 2, cases: 2 });
  const one = comparison({ ratio });
  const rows = [{ id: one.id, base: one.base.sha, head: one.head.sha }];
  index.compared = ["bb"];
  files.set("compared/bb.json", JSON.stringify({ schema: 1, comparisons: rows }));
  files.set(`comparisons/${one.id}.json.gz`, new Uint8Array(gzipSync(JSON.stringify(one))));
  const row = { ...(index.classes[0] as ClassRow), class: one.host.class };
  return { index, row };
}

test("the comparison with the release before it is that of the later release", async () => {
  const { index, row } = history(1.07);
  const found = await loadNeighbours(index, row, [RELEASES]);
  expect(findingOf(found.get("4.0.1"), CASE, "throughput_rps")?.ratio).toBe(1.07);
  expect(findingOf(found.get("4.0.1"), CASE, "startup_s")).toBeNull();
  expect(found.get("4.0.0")).toEqual([]);
  expect(found.get("4.0.2")).toEqual([]);
});

test("one of other hosts is none, and one that cannot be read does not affect the others", async () => {
  const { index, row } = history(1.07);
  const elsewhere = await loadNeighbours(index, { ...row, class: "other" }, [RELEASES]);
  expect(elsewhere.get("4.0.1")).toEqual([]);
  index.compared = ["bb", "cc"];
  files.set("compared/cc.json", "{");
  const found = await loadNeighbours(index, row, [series(...pairs("a", "b", "d", "c"))]);
  expect(found.get("4.0.1")).toHaveLength(1);
  expect(found.get("4.0.3")).toEqual([]);
});

function pairs(...digits: readonly string[]): readonly (readonly [string, string])[] {
  return digits.map((digit, at) => [`4.0.${at}`, digit.repeat(12)] as const);
}

test("steps are those between these releases, oldest first, without what was rejected", () => {
  const event = (after: string, state: Event["state"], before = "aaaaaaaaaaaa"): Event => ({
    id: `regression-${after}`,
    kind: "step",
    direction: "regression",
    state,
    culprit: {
      before: { sha: before, time: "", message: "", author: "" },
      after: { sha: after, time: "", message: "", author: "" },
    },
    run: "run",
    shared: "",
    affected_series: [{ case: CASE }] as unknown as Event["affected_series"],
  });
  const events = [
    event("cccccccccccc", "suspected"),
    event("bbbbbbbbbbbb", "confirmed"),
    event("bbbbbbbbbbbb", "rejected"),
    event("dddddddddddd", "confirmed"),
  ];
  const found = stepsOf(events, [RELEASES]);
  expect(found.map(({ before, after }) => [before, after])).toEqual([
    ["4.0.0", "4.0.1"],
    ["4.0.0", "4.0.2"],
  ]);
});

test("a step between releases that were only compared is one too", () => {
  const commit = (message: string) => ({ sha: "eeeeeeeeeeee", time: "", message, author: "" });
  const event = (before: string, after: string): Event => ({
    id: "improvement-eeeeeeeeeeee",
    kind: "step",
    direction: "improvement",
    state: "confirmed",
    culprit: { before: commit(before), after: commit(after) },
    run: "run",
    shared: "",
    affected_series: [{ case: CASE }] as unknown as Event["affected_series"],
  });
  const found = stepsOf(
    [event("Spring Boot 3.5.6", "Spring Boot 3.5.7"), event("Faster", "Bump Spring Boot 3.5.8")],
    [RELEASES],
  );
  expect(found.map(({ before, after }) => [before, after])).toEqual([["3.5.6", "3.5.7"]]);
});

test("options that these comparisons had are said once each, and none of those without any", () => {
  const c1 = ["-XX:TieredStopAtLevel=1"];
  const of = (java_options?: string[]) => [
    { ...comparison({}), ...(java_options && { java_options }) },
  ];
  const neighbours = new Map([
    ["4.0.1", of(c1)],
    ["4.0.2", of()],
    ["4.0.3", of([...c1])],
  ]);
  expect(optionsOf(neighbours)).toEqual([c1]);
  expect(optionsOf(new Map([["4.0.2", of()]]))).toEqual([]);
});
