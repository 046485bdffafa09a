import { expect, test } from "vitest";
import type { LatestRow } from "../../../src/data/latest";
import type { Ranking, RankOf } from "../../../src/data/rankings";
import {
  answer,
  type Question,
  questions,
  shareOfTheoreticalMax,
} from "../../../src/views/overview/answer";

interface RowSpec {
  readonly boot?: string;
  readonly server: string;
  readonly rate: number;
  readonly spread?: number;
  readonly theoreticalMax?: number;
  readonly bottleneck?: string;
  readonly status?: string;
  readonly workload?: string;
  readonly connections?: number;
  /** Its rank range in the order in which rows are given, best first; none where it is not ranked. */
  readonly rank?: readonly [first: number, last: number];
}

/** A row; without a spread it is of one fork, which has no interval. */
function row(rowSpec: RowSpec): LatestRow {
  const { boot = "boot4", server, rate, spread, workload = "pay", connections = 100 } = rowSpec;
  const variant = { boot, server, model: "virtual", runtime: "jvm" };
  const id = `${boot}-${server}-virtual-jvm/${workload}/${connections}`;
  return {
    case: { case: id, configuration: "push-5x10s", ...variant, workload, connections },
    run: "run",
    startedAt: "2026-01-01T00:00:00Z",
    sha: null,
    marks: [],
    status: rowSpec.status ?? "ok",
    bottleneck: rowSpec.bottleneck ?? "server-cpu",
    n: spread === undefined ? 1 : 5,
    theoretical_max_rps: rowSpec.theoreticalMax ?? null,
    notes: [],
    median: { throughput_rps: rate },
    value: () => null,
    interval: spread === undefined ? null : { low: rate - spread, high: rate + spread },
  };
}

function question(...all: readonly RowSpec[]): Question {
  return { service: null, workload: "pay", connections: 100, rows: all.map(row) };
}

/** The servers that an answer names, group by group. */
function answered(...all: readonly RowSpec[]): unknown {
  const input = question(...all);
  const found = answer(input, ranksOf(input.rows, all));
  const names = (rows: readonly LatestRow[]) => rows.map((latestRow) => latestRow.case.server);
  switch (found.kind) {
    case "nothing":
      return "nothing";
    case "alone":
      return { alone: found.row.case.server };
    case "unranked":
      return { most: found.most.case.server, least: found.least.case.server };
    case "theoreticalMax":
      return { reach: names(found.reach), below: names(found.below) };
    case "best":
      return {
        ties: names(found.ties.map(({ row }) => row)),
        next: found.next?.row.case.server ?? null,
      };
  }
}

/** A ranking of the rows that have a rank. */
function ranksOf(rows: readonly LatestRow[], all: readonly RowSpec[]): RankOf {
  const ranking: Ranking = {
    metric: "throughput_rps",
    rounds: 3,
    interleaved: true,
    spread_ratio: 0.02,
    case: [],
    first: [],
    last: [],
    ratio: [],
    low: [],
    high: [],
  };
  return (row) => {
    const position = rows.findIndex((latestRow) => latestRow.case.case === row.case.case);
    const range = all[position]?.rank;
    if (range === undefined) return null;
    const [first, last] = range;
    return { ranking, position, first, last, ratio: 1, low: 1, high: 1 };
  };
}

test("the best of the ranking is named, and who comes next, whatever the medians say", () => {
  expect(
    answered(
      { server: "tomcat", rate: 100, rank: [1, 1] },
      { server: "netty", rate: 110, rank: [2, 2] },
      { server: "jetty", rate: 80, rank: [3, 3] },
    ),
  ).toEqual({ ties: ["tomcat"], next: "netty" });
});

test("who may be first is tied with the best, whatever the intervals of the medians say", () => {
  expect(
    answered(
      { server: "tomcat", rate: 100, spread: 1, rank: [1, 2] },
      { server: "jetty", rate: 90, spread: 1, rank: [1, 2] },
      { server: "netty", rate: 80, spread: 30, rank: [3, 3] },
    ),
  ).toEqual({ ties: ["tomcat", "jetty"], next: "netty" });
  expect(
    answered(
      { server: "tomcat", rate: 100, rank: [1, 2] },
      { server: "jetty", rate: 9, rank: [1, 2] },
    ),
  ).toEqual({ ties: ["tomcat", "jetty"], next: null });
});

test("what no run has ranked has a range and no order", () => {
  expect(answered({ server: "tomcat", rate: 100 }, { server: "jetty", rate: 9 })).toEqual({
    most: "tomcat",
    least: "jetty",
  });
  expect(answered({ server: "tomcat", rate: 100 })).toEqual({ alone: "tomcat" });
});

test("a row of another run stands in no order with the others", () => {
  expect(
    answered(
      { server: "tomcat", rate: 100, rank: [1, 1] },
      { server: "jetty", rate: 90, rank: [2, 2] },
      { server: "netty", rate: 999 },
    ),
  ).toEqual({ ties: ["tomcat"], next: "jetty" });
});

test("who is limited by the delay alone is equal; of the others the least comes first", () => {
  expect(
    answered(
      { server: "tomcat", rate: 99.6, theoreticalMax: 100, bottleneck: "latency" },
      { server: "jetty", rate: 100.2, theoreticalMax: 100, bottleneck: "latency" },
      { server: "netty", rate: 60, theoreticalMax: 100 },
      { server: "undertow", rate: 40, theoreticalMax: 100 },
    ),
  ).toEqual({ reach: ["jetty", "tomcat"], below: ["undertow", "netty"] });
});

test("where the run has ranked them its ranking counts, whoever reaches the theoretical maximum", () => {
  expect(
    answered(
      { server: "tomcat", rate: 100, theoreticalMax: 100, bottleneck: "latency", rank: [1, 1] },
      { server: "jetty", rate: 60, theoreticalMax: 100, rank: [2, 2] },
    ),
  ).toEqual({ ties: ["tomcat"], next: "jetty" });
});

test("what failed, answered nothing or is not the server's number is not ranked", () => {
  const unranked: RowSpec[] = [
    { server: "netty", rate: 900, status: "failed" },
    { server: "jetty", rate: 0, spread: 0 },
    { server: "undertow", rate: 900, spread: 1, bottleneck: "load-generator" },
  ];
  expect(answered(...unranked)).toBe("nothing");
  expect(answered()).toBe("nothing");
  expect(answered(...unranked, { server: "tomcat", rate: 5, spread: 1 })).toEqual({
    alone: "tomcat",
  });
});

test("a workload's question is at the number of connections that most variants have", () => {
  const rows = [
    row({ server: "tomcat", rate: 1, connections: 100 }),
    row({ server: "tomcat", rate: 1, connections: 3000 }),
    row({ server: "jetty", rate: 1, connections: 3000 }),
    row({ server: "jetty", rate: 1, workload: "hello", connections: 50 }),
  ];
  const found = questions(rows).map((entry) => [
    entry.workload,
    entry.connections,
    entry.rows.length,
  ]);
  expect(found).toEqual([
    ["pay", 3000, 2],
    ["hello", 50, 1],
  ]);
  expect(questions([])).toEqual([]);
});

test("where no delay sets a theoretical maximum there is no share of it", () => {
  expect(shareOfTheoreticalMax(row({ server: "tomcat", rate: 5 }))).toBe(0);
  expect(shareOfTheoreticalMax(row({ server: "tomcat", rate: 5, theoreticalMax: 0 }))).toBe(0);
  expect(shareOfTheoreticalMax(row({ server: "tomcat", rate: 5, theoreticalMax: 10 }))).toBe(0.5);
});

test("services have questions of their own, and are not ranked with one another", () => {
  const orders = row({ boot: "app", server: "orders", rate: 900, workload: "hello" });
  const payments = row({ boot: "app", server: "payments", rate: 5, workload: "hello" });
  const found = questions([orders, payments]);
  expect(found.map(({ service, workload }) => [service, workload])).toEqual([
    ["orders", "hello"],
    ["payments", "hello"],
  ]);
  for (const entry of found) expect(answer(entry, () => null).kind).toBe("alone");
  // of one alone nothing is distinguished
  expect(questions([orders]).map(({ service }) => service)).toEqual([null]);
  const server = row({ server: "tomcat", rate: 7, workload: "hello" });
  expect(questions([orders, server]).map(({ service }) => service)).toEqual(["orders", null]);
});
