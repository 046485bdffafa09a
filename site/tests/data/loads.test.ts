import { expect, test } from "vitest";
import type { LatestRow } from "../../src/data/latest";
import { loadsOf, settleLoad } from "../../src/data/loads";

function row(boot: string, server: string, workload = "hello"): LatestRow {
  const axes = { boot, server, model: "own", runtime: "jvm", workload, connections: 64 };
  const id = `${boot}-${server}-own-jvm/${workload}/64`;
  return {
    case: { case: id, configuration: "commit-3x6s", ...axes },
    run: "run",
    startedAt: "2026-01-01T00:00:00Z",
    sha: null,
    marks: [],
    status: "ok",
    bottleneck: null,
    n: 1,
    theoretical_max_rps: null,
    notes: [],
    median: {},
    value: () => null,
    interval: null,
  };
}

test("a workload of two services is two loads, which an address distinguishes", () => {
  const loads = loadsOf([row("app", "orders"), row("app", "payments"), row("app", "orders", "a")]);
  expect(loads.map(({ id, service }) => [id, service])).toEqual([
    ["orders/hello", "orders"],
    ["payments/hello", "payments"],
    ["orders/a", "orders"],
  ]);
  expect(settleLoad(loads, "payments/hello")).toBe(loads[1]);
  expect(settleLoad(loads, "hello")).toBe(loads[0]);
  expect(settleLoad(loads, "gone/hello")).toBe(loads[0]);
});

test("servers of one kind, or one service, share the load of a workload", () => {
  const servers = loadsOf([row("boot4", "tomcat"), row("boot3", "jetty")]);
  expect(servers.map(({ id, service }) => [id, service])).toEqual([["hello", null]]);
  const alone = loadsOf([row("app", "orders")]);
  expect(alone.map(({ id, service }) => [id, service])).toEqual([["hello", null]]);
});
