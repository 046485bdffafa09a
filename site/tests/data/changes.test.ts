import { expect, test } from "vitest";
import { changesOf } from "../../src/data/changes";
import type { Event } from "../../src/data/contract";

function affected(
  configuration: string,
  metric: string,
  ratio: number,
): Event["affected_series"][number] {
  return {
    case: "boot4-tomcat-virtual-jvm/hello/64",
    configuration,
    host_class: "a",
    metric,
    unit: "rps",
    better: "higher",
    ratio,
    low_ratio: ratio - 0.01,
    high_ratio: ratio + 0.01,
  };
}

function of(...affected_series: Event["affected_series"]): ReturnType<typeof changesOf> {
  return changesOf({ affected_series } as Event);
}

test("series of runs tell the size where no pairs do", () => {
  const [change] = of(
    affected("commit-1x6s", "throughput_rps", 1.2),
    affected("nightly-3x10s", "throughput_rps", 1.4),
  );
  expect(change).toMatchObject({ low: 1.2, high: 1.4, series: 2 });
  expect(change?.ratio).toBeCloseTo(1.3);
});

test("pairs tell the size of what they have seen, and of nothing else", () => {
  const changes = of(
    affected("commit-1x6s", "throughput_rps", 1.6),
    affected("compare", "throughput_rps", 1.15),
    affected("commit-1x6s", "startup_s", 0.9),
  );
  expect(changes.map(({ metric, ratio, series }) => [metric, ratio, series])).toEqual([
    ["throughput_rps", 1.15, 1],
    ["startup_s", 0.9, 1],
  ]);
});
