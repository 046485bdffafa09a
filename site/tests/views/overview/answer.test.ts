import { expect, test } from "vitest";
import type { LatestRow } from "../../../src/data/latest";
import { answer, type Question, questions, shareOfIdeal } from "../../../src/views/overview/answer";

interface Of {
  readonly boot?: string;
  readonly server: string;
  readonly rate: number;
  readonly spread?: number;
  readonly ideal?: number;
  readonly bound?: string;
  readonly status?: string;
  readonly workload?: string;
  readonly connections?: number;
}

/** A row; without a spread it is of one fork, which has no interval. */
function row(of: Of): LatestRow {
  const { boot = "boot4", server, rate, spread, workload = "pay", connections = 100 } = of;
  const variant = { boot, server, model: "virtual", runtime: "jvm" };
  const id = `${boot}-${server}-virtual-jvm/${workload}/${connections}`;
  return {
    case: { case: id, conditions: "push-5x10s", ...variant, workload, connections },
    run: "run",
    startedAt: "2026-01-01T00:00:00Z",
    sha: null,
    marks: [],
    status: of.status ?? "ok",
    bound: of.bound ?? "server-cpu",
    n: spread === undefined ? 1 : 5,
    ideal_rps: of.ideal ?? null,
    notes: [],
    median: { throughput_rps: rate },
    value: () => null,
    interval: spread === undefined ? null : { low: rate - spread, high: rate + spread },
  };
}

function question(...all: readonly Of[]): Question {
  return { service: null, workload: "pay", connections: 100, rows: all.map(row) };
}

/** The servers that an answer names, group by group. */
function told(...all: readonly Of[]): unknown {
  const found = answer(question(...all));
  const names = (rows: readonly LatestRow[]) => rows.map((each) => each.case.server);
  switch (found.kind) {
    case "nothing":
      return "nothing";
    case "ideal":
      return { reach: names(found.reach), below: names(found.below) };
    case "best":
      return { ties: names(found.ties), next: found.next?.case.server ?? null };
  }
}

test("the best is named, and who comes next", () => {
  expect(
    told(
      { server: "jetty", rate: 80, spread: 1 },
      { server: "tomcat", rate: 100, spread: 1 },
      { server: "netty", rate: 90, spread: 1 },
    ),
  ).toEqual({ ties: ["tomcat"], next: "netty" });
});

test("whose interval reaches the best one's is tied with it, edges included", () => {
  const best = { server: "tomcat", rate: 100, spread: 2 };
  const touching = { server: "jetty", rate: 95, spread: 3 };
  const apart = { server: "netty", rate: 95, spread: 2.9 };
  expect(told(best, touching)).toEqual({ ties: ["tomcat", "jetty"], next: null });
  expect(told(best, apart)).toEqual({ ties: ["tomcat"], next: "netty" });
  expect(told(best, apart, touching)).toEqual({ ties: ["tomcat", "jetty"], next: "netty" });
});

test("a worse median with a wide interval is tied, though others between are not", () => {
  expect(
    told(
      { server: "tomcat", rate: 100, spread: 1 },
      { server: "jetty", rate: 90, spread: 1 },
      { server: "netty", rate: 80, spread: 30 },
    ),
  ).toEqual({ ties: ["tomcat", "netty"], next: "jetty" });
});

test("one fork has no interval: only what is 10 % apart is told apart", () => {
  expect(told({ server: "tomcat", rate: 100 }, { server: "jetty", rate: 92 })).toEqual({
    ties: ["tomcat", "jetty"],
    next: null,
  });
  expect(told({ server: "tomcat", rate: 100 }, { server: "jetty", rate: 89 })).toEqual({
    ties: ["tomcat"],
    next: "jetty",
  });
});

test("who reaches the ideal is equal; of the others the least comes first", () => {
  expect(
    told(
      { server: "tomcat", rate: 99.6, ideal: 100 },
      { server: "jetty", rate: 100.2, ideal: 100 },
      { server: "netty", rate: 60, ideal: 100 },
      { server: "undertow", rate: 40, ideal: 100 },
    ),
  ).toEqual({ reach: ["jetty", "tomcat"], below: ["undertow", "netty"] });
});

test("where nobody reaches the ideal the best is named", () => {
  expect(
    told(
      { server: "tomcat", rate: 80, spread: 1, ideal: 100 },
      { server: "jetty", rate: 60, spread: 1, ideal: 100 },
    ),
  ).toEqual({ ties: ["tomcat"], next: "jetty" });
});

test("what failed, answered nothing or is not the server's number is not ranked", () => {
  const unranked: Of[] = [
    { server: "netty", rate: 900, status: "failed" },
    { server: "jetty", rate: 0, spread: 0 },
    { server: "undertow", rate: 900, spread: 1, bound: "load-generator" },
  ];
  expect(told(...unranked)).toBe("nothing");
  expect(told()).toBe("nothing");
  expect(told(...unranked, { server: "tomcat", rate: 5, spread: 1 })).toEqual({
    ties: ["tomcat"],
    next: null,
  });
});

test("a workload's question is at the number of connections that most variants have", () => {
  const rows = [
    row({ server: "tomcat", rate: 1, connections: 100 }),
    row({ server: "tomcat", rate: 1, connections: 3000 }),
    row({ server: "jetty", rate: 1, connections: 3000 }),
    row({ server: "jetty", rate: 1, workload: "hello", connections: 50 }),
  ];
  const found = questions(rows).map((each) => [each.workload, each.connections, each.rows.length]);
  expect(found).toEqual([
    ["pay", 3000, 2],
    ["hello", 50, 1],
  ]);
  expect(questions([])).toEqual([]);
});

test("where no delay sets an ideal there is no share of it", () => {
  expect(shareOfIdeal(row({ server: "tomcat", rate: 5 }))).toBe(0);
  expect(shareOfIdeal(row({ server: "tomcat", rate: 5, ideal: 0 }))).toBe(0);
  expect(shareOfIdeal(row({ server: "tomcat", rate: 5, ideal: 10 }))).toBe(0.5);
});

test("services have questions of their own, and are not ranked with one another", () => {
  const orders = row({ boot: "app", server: "orders", rate: 900, workload: "hello" });
  const payments = row({ boot: "app", server: "payments", rate: 5, workload: "hello" });
  const found = questions([orders, payments]);
  expect(found.map(({ service, workload }) => [service, workload])).toEqual([
    ["orders", "hello"],
    ["payments", "hello"],
  ]);
  for (const each of found) expect(answer(each)).toMatchObject({ ties: each.rows, next: null });
  // of one alone nothing is told apart
  expect(questions([orders]).map(({ service }) => service)).toEqual([null]);
  const server = row({ server: "tomcat", rate: 7, workload: "hello" });
  expect(questions([orders, server]).map(({ service }) => service)).toEqual(["orders", null]);
});
