import { expect, test } from "vitest";
import { type Chain, chainsOf, cumulated, missingLinks, settleBase } from "../../src/data/chain";
import type { PublishedComparison } from "../../src/data/published";
import { around, compared } from "../compared";

const RATE = "throughput_rps";

function only(comparisons: readonly PublishedComparison[]): Chain {
  const [chain, ...extraChains] = chainsOf(comparisons);
  if (chain === undefined || extraChains.length > 0) throw new Error("not one chain");
  return chain;
}

/** Always the same numbers from 0 to 1. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

interface Drawn {
  readonly chain: Chain;
  readonly logs: readonly number[];
  readonly halves: readonly number[];
}

/** A chain of some links with changes and intervals of any size, in any order. */
function drawn(seed: number): Drawn {
  const next = numbers(seed);
  const count = 1 + Math.floor(next() * 12);
  const logs = Array.from({ length: count }, () => next() * 3 - 1.5);
  const halves = Array.from({ length: count }, () => next() * 0.5);
  const links = logs.map((log, at) =>
    compared(`4.0.${at}`, `4.0.${at + 1}`, around(log, halves[at] ?? 0)),
  );
  return { chain: only(next() < 0.5 ? links : links.toReversed()), logs, halves };
}

const SEEDS = Array.from({ length: 50 }, (_, at) => at + 1);
const sum = (values: readonly number[]) => values.reduce((all, value) => all + value, 0);

test("what adds up is the product of the neighbours, and variances of logarithms add up", () => {
  for (const { chain, logs, halves } of SEEDS.map(drawn)) {
    for (const [at, found] of cumulated(chain, RATE, "4.0.0").entries()) {
      if (found === null) throw new Error("no link is missing");
      const product = logs.slice(0, at).reduce((all, log) => all * Math.exp(log), 1);
      expect(found.ratio / product).toBeCloseTo(1, 9);
      const half = Math.log(found.high / found.low) / 2;
      expect(half ** 2).toBeCloseTo(sum(halves.slice(0, at).map((value) => value ** 2)), 9);
    }
  }
});

test("intervals have the ratio in their middle, and widen with each link away from the base", () => {
  for (const { chain } of SEEDS.map(drawn)) {
    for (const [from, base] of chain.versions.entries()) {
      const changes = cumulated(chain, RATE, base).flatMap((change) => change ?? []);
      expect(changes).toHaveLength(chain.versions.length);
      expect(changes[from]).toEqual({ ratio: 1, low: 1, high: 1 });
      for (const { ratio, low, high } of changes) {
        expect(Math.sqrt(low * high) / ratio).toBeCloseTo(1, 9);
      }
      const widths = changes.map(({ low, high }) => Math.log(high / low));
      expect(widths.slice(from)).toEqual(widths.slice(from).toSorted((a, b) => a - b));
      expect(widths.slice(0, from)).toEqual(widths.slice(0, from).toSorted((a, b) => b - a));
    }
  }
});

test("another base divides each ratio by its own, and turned round a change is its inverse", () => {
  for (const { chain } of SEEDS.map(drawn)) {
    const first = cumulated(chain, RATE, chain.versions[0] ?? "");
    const last = cumulated(chain, RATE, chain.versions.at(-1) ?? "");
    const total = first.at(-1);
    for (const [at, change] of first.entries()) {
      expect(((last[at]?.ratio ?? 0) * (total?.ratio ?? 0)) / (change?.ratio ?? 0)).toBeCloseTo(
        1,
        9,
      );
    }
    expect((last[0]?.low ?? 0) * (total?.high ?? 0)).toBeCloseTo(1, 9);
  }
});

const FOUR = [
  compared("4.0.0", "4.0.1", around(0.1, 0.01)),
  compared("4.0.1", "4.0.2", { metric: "startup_s", ...around(0.2, 0.01) }),
  compared("4.0.2", "4.0.3", around(0.3, 0.01)),
  compared("4.0.3", "4.0.10", around(0.4, 0.01)),
];

test("a missing link breaks the chain on both sides of it, and is named", () => {
  const chain = only(FOUR);
  expect(chain.versions).toEqual(["4.0.0", "4.0.1", "4.0.2", "4.0.3", "4.0.10"]);
  const reached = (base: string) => cumulated(chain, RATE, base).map((change) => change !== null);
  expect(reached("4.0.0")).toEqual([true, true, false, false, false]);
  expect(reached("4.0.3")).toEqual([false, false, true, true, true]);
  expect(reached("9.9.9")).toEqual([false, false, false, false, false]);
  const [missing, ...extraLinks] = missingLinks(chain, RATE);
  expect([missing?.before, missing?.after, extraLinks]).toEqual(["4.0.1", "4.0.2", []]);
  // the two were compared, in another metric
  expect(missing?.shas).not.toBeNull();
});

test("a chain begins with the release that is asked for, else with that which reaches the most", () => {
  const chain = only(FOUR);
  expect(settleBase(chain, RATE, "4.0.1")).toBe("4.0.1");
  expect(settleBase(chain, RATE, "3.5.0")).toBe("4.0.2");
  expect(settleBase(chain, RATE, null)).toBe("4.0.2");
});

test("of several comparisons of two releases the newest counts, metric by metric", () => {
  const again = compared("4.0.0", "4.0.1", around(0.05, 0.01), {
    purpose: "confirm",
    started_at: "2026-03-01T00:00:00Z",
  });
  const startup = compared("4.0.0", "4.0.1", { metric: "startup_s", ...around(0.2, 0.01) });
  const chain = only([again, startup, compared("4.0.0", "4.0.1", around(0.1, 0.01))]);
  expect(chain.links[0]?.findings.get(RATE)?.ratio).toBeCloseTo(Math.exp(0.05));
  expect(chain.links[0]?.findings.get("startup_s")?.ratio).toBeCloseTo(Math.exp(0.2));
});

test("what bisecting compared is no neighbour, and what drifted or was turned round no link", () => {
  const chain = only([
    compared("4.0.0", "4.0.4", around(0.1, 0.01)),
    compared("4.0.0", "4.0.2", around(0.2, 0.01), { purpose: "bisect" }),
    compared("4.0.4", "4.0.5", around(0.3, 0.01), { marks: ["drifted"] }),
    compared("4.0.7", "4.0.6", around(0.3, 0.01)),
  ]);
  expect(chain.versions).toEqual(["4.0.0", "4.0.4"]);
});

test("each case has a chain of its own, with the axes that its name says", () => {
  const jetty = "boot3-jetty-platform-tuned-jvm-aot/headers-h2/64";
  const chains = chainsOf([
    compared("3.5.0", "3.5.1", { case: jetty }),
    compared("4.0.0", "4.0.1"),
  ]);
  expect(chains.map(({ versions }) => versions)).toEqual([
    ["3.5.0", "3.5.1"],
    ["4.0.0", "4.0.1"],
  ]);
  expect(chains[0]?.case).toEqual({
    case: jetty,
    boot: "boot3",
    server: "jetty",
    model: "platform-tuned",
    runtime: "jvm-aot",
    workload: "headers-h2",
    connections: 64,
    configuration: "",
  });
});

test("a finding without an interval that adds up is a missing link", () => {
  const chain = only([
    compared("4.0.0", "4.0.1", { ratio: 0, low_ratio: 0, high_ratio: 0 }),
    compared("4.0.1", "4.0.2", around(0.1, 0.01)),
  ]);
  expect(cumulated(chain, RATE, "4.0.2").map((change) => change !== null)).toEqual([
    false,
    true,
    true,
  ]);
});
