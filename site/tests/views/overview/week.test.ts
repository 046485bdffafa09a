import { expect, test } from "vitest";
import type { Event, Witness } from "../../../src/data/contract";
import type { LatestRow } from "../../../src/data/latest";
import { weekChange } from "../../../src/views/overview/week";

const CASE = "boot4-tomcat-virtual-jvm/pay/100";
const HOST = "some-cpu-2c";

const row: LatestRow = {
  case: {
    case: CASE,
    conditions: "push-5x10s",
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
  bound: "server-cpu",
  n: 1,
  ideal_rps: null,
  notes: [],
  median: { throughput_rps: 100 },
  value: () => null,
  interval: null,
};

function witness(ratio: number, of: Partial<Witness> = {}): Witness {
  return {
    case: CASE,
    conditions: "push-5x10s",
    host_class: HOST,
    metric: "throughput_rps",
    unit: "rps",
    better: "higher",
    ratio,
    low_ratio: ratio,
    high_ratio: ratio,
    ...of,
  };
}

function event(day: string, state: Event["state"], ...witnesses: readonly Witness[]): Event {
  const commit = { sha: "0123456789ab", message: "", author: "", time: `${day}T00:00:00Z` };
  return {
    id: `regression-${day}`,
    kind: "step",
    direction: "regression",
    state,
    culprit: { before: commit, after: commit },
    run: "run",
    shared: "",
    witnesses: [...witnesses],
  };
}

const of = (...events: readonly Event[]) => weekChange(events, row, HOST);

test("a step of the last seven days is told, an older one is not", () => {
  expect(of(event("2026-03-08", "confirmed", witness(0.9)))).toMatchObject({
    ratio: 0.9,
    bad: true,
    sure: true,
  });
  expect(of(event("2026-03-01", "confirmed", witness(0.9)))).toBeNull();
  expect(of()).toBeNull();
});

test("steps that follow each other are one change", () => {
  const back = [
    event("2026-03-05", "fixed", witness(0.8)),
    event("2026-03-09", "confirmed", witness(1.25)),
  ];
  expect(of(...back)?.ratio).toBeCloseTo(1);
  expect(of(...back)?.bad).toBe(false);
});

test("what was refuted never was, and a suspicion is not sure", () => {
  expect(of(event("2026-03-08", "refuted", witness(0.5)))).toBeNull();
  expect(of(event("2026-03-08", "suspected", witness(0.5)))?.sure).toBe(false);
});

test("steps of other cases, hosts and ways of measuring are not its own", () => {
  const others = [
    witness(0.5, { case: "boot4-jetty-virtual-jvm/pay/100" }),
    witness(0.5, { host_class: "other" }),
    witness(0.5, { conditions: "nightly-3x10s" }),
  ];
  expect(of(event("2026-03-08", "confirmed", ...others))).toBeNull();
  const compared = witness(0.5, { conditions: "compare" });
  expect(of(event("2026-03-08", "confirmed", compared))?.ratio).toBe(0.5);
});

test("throughput goes before other metrics; of these more cost is bad", () => {
  const cpu = witness(1.2, { metric: "cpu_per_request_s", better: "lower" });
  expect(of(event("2026-03-08", "confirmed", cpu))).toMatchObject({
    metric: "cpu_per_request_s",
    bad: true,
  });
  expect(of(event("2026-03-08", "confirmed", cpu, witness(0.9)))?.metric).toBe("throughput_rps");
});

test("a step that runs and pairs have seen is one step, as large as the pairs say", () => {
  const both = event(
    "2026-03-09",
    "confirmed",
    witness(0.6),
    witness(0.9, { conditions: "compare" }),
  );
  expect(weekChange([both], row, HOST)?.ratio).toBeCloseTo(0.9);
});
