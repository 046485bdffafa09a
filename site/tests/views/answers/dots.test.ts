import { expect, test } from "vitest";
import { syntheticAnswers } from "../../../scripts/synthetic_answers.mjs";
import type { PublishedAnswer } from "../../../src/data/answers";
import {
  dotsOf,
  drawnMetric,
  ratioWords,
  scaleOf,
  shareWords,
} from "../../../src/views/answers/dots";
import { fieldsOf } from "../../../src/views/answers/exported";
import { stepName, wordsOf } from "../../../src/views/answers/names";

const RATE = "throughput_rps";
const [protocols, waiting] = syntheticAnswers({
  run: "gh-1",
  startedAt: "2026-11-28T06:00:00Z",
  hostClass: "c0ffee12",
}) as unknown as readonly [PublishedAnswer, PublishedAnswer];

test("the first metric that was compared is drawn, and none where none was", () => {
  expect(drawnMetric(protocols)).toBe(RATE);
  expect(drawnMetric({ ...protocols, metrics: ["cpu_per_request_s", RATE] })).toBe(RATE);
  expect(drawnMetric(waiting)).toBeNull();
});

test("each step but the baseline is a dot that says what is known", () => {
  const dots = dotsOf(protocols, RATE);
  expect(dots.map(({ row, tone }) => `${row.subject} ${row.step} ${tone}`)).toEqual([
    "Jetty https1 worse",
    "Jetty h2c better",
    "Jetty h2 none",
    "Tomcat https1 worse",
    "Tomcat h2c same",
    "Netty https1 same",
    "Netty h2c none",
  ]);
});

test("of what is better when it is lower, less is better", () => {
  const rows = protocols.rows.map((row) => ({
    ...row,
    ratios: row.ratios?.[RATE] ? { cpu_per_request_s: row.ratios[RATE] } : {},
  }));
  const [first, second] = dotsOf({ ...protocols, rows }, "cpu_per_request_s");
  expect([first?.tone, second?.tone]).toEqual(["better", "worse"]);
});

test("dots, intervals and the baseline have their places, equal factors equal distances", () => {
  const { positionOf, ticks } = scaleOf(dotsOf(protocols, RATE));
  expect(positionOf(0.63)).toBeCloseTo(0, 5);
  expect(positionOf(1.12)).toBeCloseTo(1, 5);
  expect(positionOf(0.9) - positionOf(0.81)).toBeCloseTo(positionOf(1) - positionOf(0.9), 5);
  expect(ticks).toContain(1);
  expect(ticks.toSorted((a, b) => a - b)).toEqual(ticks);
  for (const [at, tick] of ticks.entries()) {
    expect(positionOf(tick) - positionOf(ticks[at - 1] ?? 0.0001)).toBeGreaterThan(
      at === 0 ? -1 : 0.14,
    );
  }
});

test.each([
  [[], 1 / 1.05, 1.05],
  [[{ ratio: 0.1, low: 0.08, high: 0.12, verdict: "lower" }], 0.08, 1.05],
  // an interval of two processes may span everything: the dots count
  [[{ ratio: 0.5, low: 1e-9, high: 1e9, verdict: "tied" }], 0.5 / 1.6, 1.6],
  [[{ ratio: 4, verdict: "once" }], 1 / 1.05, 4],
] as const)("the axis of %j reaches from %d to %d", (ratios, from, to) => {
  const [row] = protocols.rows;
  if (row === undefined) throw new Error("no row");
  const { positionOf, ticks } = scaleOf(ratios.map((ratio) => ({ row, ratio, tone: "same" })));
  expect(positionOf(from)).toBeCloseTo(0, 5);
  expect(positionOf(to)).toBeCloseTo(1, 5);
  expect(positionOf(0)).toBe(0);
  expect(positionOf(Number.MAX_VALUE)).toBe(1);
  expect(ticks).toContain(1);
});

test("a ratio is written as the terminal writes it", () => {
  const lower = { verdict: "lower" } as const;
  expect(ratioWords({ ratio: 0.82, low: 0.8, high: 0.85, ...lower })).toBe("82 % [80, 85]");
  expect(ratioWords({ ratio: 0.982, low: 0.9, high: 1.064, ...lower })).toBe(
    "98.2 % [90.0, 106.4]",
  );
  expect(ratioWords({ ratio: 14.163, verdict: "once" })).toBe("1,416 %");
  expect(shareWords(Number.NaN)).toBe("–");
});

test("names are in the reader's language, else in English, and nothing turns the line", () => {
  expect(stepName(protocols, "h2", "zh")).toBe("HTTP/2 加 TLS");
  expect(wordsOf({ ...protocols, zh: null }, "zh").question).toMatch(/^What/);
  expect(stepName(protocols, "toString", "en")).toBe("toString");
  expect(stepName(protocols, "new\u202eone", "en")).toBe("new one");
});

test("a row of a file has each figure with its interval", () => {
  const row = protocols.rows[1];
  if (row === undefined) throw new Error("no row");
  expect(fieldsOf(row)).toMatchObject({
    subject: "Jetty",
    step: "https1",
    throughput_rps: 32_800,
    throughput_rps_ratio: 0.82,
    throughput_rps_ratio_high: 0.85,
    throughput_rps_verdict: "lower",
  });
});
