import { expect, test } from "vitest";
import { chainsOf } from "../../../src/data/chain";
import { changesOf } from "../../../src/views/releases/changes";
import { compared } from "../../compared";

const CPU = { metric: "cpu_per_request_s", unit: "s", better: "lower" } as const;
const JETTY = "boot4-jetty-virtual-jvm/header-walks-h2/64";

test("changes of a case in one direction are one, the largest first, throughput before other metrics", () => {
  const one = compared("4.0.0", "4.0.1", { verdict: "suspected" });
  const [rate] = one.findings;
  if (rate === undefined) throw new Error("no finding");
  one.findings.push(
    { ...rate, ...CPU, ratio: 3, high_ratio: 3.2 },
    {
      ...rate,
      ...CPU,
      metric: "allocated_bytes_per_request",
      ratio: 0.94,
      low_ratio: 0.92,
    },
    { ...rate, case: JETTY, ratio: 0.2, low_ratio: 0.1, verdict: "regression" },
    {
      ...rate,
      metric: "startup_s",
      better: "lower",
      ratio: 2,
      high_ratio: 9,
      verdict: "undecided",
    },
  );
  const found = changesOf(chainsOf([one]));
  expect(
    found.map(({ case: caseRow, worse, confirmed, findings }) => [
      caseRow.server,
      worse,
      confirmed,
      findings.map(({ metric }) => metric),
    ]),
  ).toEqual([
    ["jetty", true, true, ["throughput_rps"]],
    ["tomcat", true, false, ["throughput_rps", "cpu_per_request_s"]],
    ["tomcat", false, false, ["allocated_bytes_per_request"]],
  ]);
});

test("failures that were counted come first, and what only differs is no change", () => {
  const fact = { case: "boot4-tomcat-virtual-jvm/hello/100", base: "0 of 9", head: "4 of 9" };
  const one = compared(
    "4.0.0",
    "4.0.1",
    { verdict: "improvement", ratio: 2, high_ratio: 3, p_value: 0 },
    {
      facts: [
        { ...fact, metric: "errors", verdict: "suspected", worse: true },
        { ...fact, metric: "headers", verdict: "changed", worse: false },
      ],
    },
  );
  const found = changesOf(chainsOf([one]));
  expect(found.map(({ worse, facts }) => [worse, facts.map(({ metric }) => metric)])).toEqual([
    [true, ["errors"]],
    [false, []],
  ]);
});

test("a comparison that was made to check a change takes the place of the one that raised it", () => {
  const raised = compared("4.0.0", "4.0.1", { verdict: "suspected" });
  const checked = compared(
    "4.0.0",
    "4.0.1",
    { verdict: "unchanged", ratio: 0.99, high_ratio: 1.01 },
    { purpose: "confirm", started_at: "2026-03-01T00:00:00Z" },
  );
  expect(changesOf(chainsOf([raised]))).toHaveLength(1);
  expect(changesOf(chainsOf([checked, raised]))).toEqual([]);
});

test("failures of a case that has no ratio are a change too, those of no case are not", () => {
  const fact = { base: "0 of 9", head: "4 of 9", verdict: "suspected", worse: true } as const;
  const one = compared("4.0.0", "4.0.1", { verdict: "unchanged" });
  one.facts = [
    { ...fact, case: JETTY, metric: "errors" },
    { ...fact, case: "boot4-jetty-virtual-jvm", metric: "failed" },
  ];
  expect(changesOf(chainsOf([one])).map(({ case: caseRow }) => caseRow.case)).toEqual([JETTY]);
});
