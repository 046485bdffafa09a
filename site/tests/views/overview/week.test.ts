import { expect, test } from "vitest";
import type { AffectedSeries, Event } from "../../../src/data/contract";
import type { LatestRow } from "../../../src/data/latest";
import { weekChange } from "../../../src/views/overview/week";

const CASE = "boot4-tomcat-virtual-jvm/pay/100";
const HOST = "some-cpu-2c";

const row: LatestRow = {
  case: {
    case: CASE,
    configuration: "push-5x10s",
    boot: "boot4",
    server: "tomcat",
    model: "virtual",
    runtime: "jvm",
    workload: "pay",
    connections: 100,
  },
  run: "run",
  startedAt: "2026-03-10T12:00:00Z",
  sha: null,
  marks: [],
  status: "ok",
  bottleneck: "server-cpu",
  n: 1,
  theoretical_max_rps: null,
  notes: [],
  median: { throughput_rps: 100 },
  value: () => null,
  interval: null,
};

function affected(ratio: number, more: Partial<AffectedSeries> = {}): AffectedSeries {
  return {
    case: CASE,
    configuration: "push-5x10s",
    host_class: HOST,
    metric: "throughput_rps",
    unit: "rps",
    better: "higher",
    ratio,
    low_ratio: ratio,
    high_ratio: ratio,
    ...more,
  };
}

function event(
  day: string,
  state: Event["state"],
  ...affected_series: readonly AffectedSeries[]
): Event {
  const commit = { sha: "0123456789ab", message: "", author: "", time: `${day}T00:00:00Z` };
  return {
    id: `regression-${day}`,
    kind: "step",
    direction: "regression",
    state,
    culprit: { before: commit, after: commit },
    run: "run",
    shared: "",
    affected_series: [...affected_series],
  };
}

const weekChangeOf = (...events: readonly Event[]) => weekChange(events, row, HOST);

test("a step of the last seven days is reported, an older one is not", () => {
  expect(weekChangeOf(event("2026-03-08", "confirmed", affected(0.9)))).toMatchObject({
    ratio: 0.9,
    bad: true,
    sure: true,
  });
  expect(weekChangeOf(event("2026-03-01", "confirmed", affected(0.9)))).toBeNull();
  expect(weekChangeOf()).toBeNull();
});

test("steps that follow each other are one change", () => {
  const back = [
    event("2026-03-05", "fixed", affected(0.8)),
    event("2026-03-09", "confirmed", affected(1.25)),
  ];
  expect(weekChangeOf(...back)?.ratio).toBeCloseTo(1);
  expect(weekChangeOf(...back)?.bad).toBe(false);
});

test("what was rejected never was, and a candidate change is not sure", () => {
  expect(weekChangeOf(event("2026-03-08", "rejected", affected(0.5)))).toBeNull();
  expect(weekChangeOf(event("2026-03-08", "suspected", affected(0.5)))?.sure).toBe(false);
});

test("steps of other cases, hosts and ways of measuring are not its own", () => {
  const unrelated = [
    affected(0.5, { case: "boot4-jetty-virtual-jvm/pay/100" }),
    affected(0.5, { host_class: "other" }),
    affected(0.5, { configuration: "nightly-3x10s" }),
  ];
  expect(weekChangeOf(event("2026-03-08", "confirmed", ...unrelated))).toBeNull();
  const compared = affected(0.5, { configuration: "compare" });
  expect(weekChangeOf(event("2026-03-08", "confirmed", compared))?.ratio).toBe(0.5);
});

test("throughput goes before other metrics; of these more cost is bad", () => {
  const cpu = affected(1.2, { metric: "cpu_per_request_s", better: "lower" });
  expect(weekChangeOf(event("2026-03-08", "confirmed", cpu))).toMatchObject({
    metric: "cpu_per_request_s",
    bad: true,
  });
  expect(weekChangeOf(event("2026-03-08", "confirmed", cpu, affected(0.9)))?.metric).toBe(
    "throughput_rps",
  );
});

test("a step that runs and pairs have seen is one step, as large as the pairs say", () => {
  const both = event(
    "2026-03-09",
    "confirmed",
    affected(0.6),
    affected(0.9, { configuration: "compare" }),
  );
  expect(weekChange([both], row, HOST)?.ratio).toBeCloseTo(0.9);
});
