import { expect, test } from "vitest";
import {
  change,
  date,
  interval,
  metricName,
  moment,
  oneLine,
  quantity,
  subject,
} from "../../src/words/format";
import { sayIn } from "../../src/words/words";

test.each([
  [48_812.4, "rps", "48,812/s"],
  [199.5, "rps", "199.5/s"],
  [200, "rps", "200/s"],
  [0, "rps", "0/s"],
  [1.2449, "s", "1.24 s"],
  [0.00124, "s", "1.24 ms"],
  [0.000_213, "s", "213 µs"],
  [12.04, "s", "12 s"],
  [432_013_312, "bytes", "412 MiB"],
  [17_179_869_184, "bytes", "16 GiB"],
  [0.982, "ratio", "98.2 %"],
  [0.0042, "ratio", "0.42 %"],
  [0, "ratio", "0 %"],
  [200, "count", "200"],
  [3.5, "furlongs", "3.5"],
  [1e300, "rps", "1.00e+300/s"],
  [1e300, "ratio", "1.00e+302 %"],
  [null, "rps", "–"],
  [Number.NaN, "s", "–"],
])("%s of unit %s reads %s", (value, unit, words) => {
  expect(quantity(value, unit)).toBe(words);
});

test("an interval whose edges read alike is one value", () => {
  expect(interval(197, 203, "rps", sayIn("en"))).toBe("197/s to 203/s");
  expect(interval(197, 203, "rps", sayIn("zh"))).toBe("197/s 至 203/s");
  expect(interval(200.001, 200.002, "rps", sayIn("en"))).toBe("200/s");
  expect(interval(null, 1, "rps", sayIn("en"))).toBe("–");
});

test.each([
  [1.082, "+8.2 %"],
  [0.969, "−3.1 %"],
  [3.5, "+250 %"],
  [1, "+0.0 %"],
])("a ratio of %s is a change of %s", (ratio, words) => {
  expect(change(ratio)).toBe(words);
});

test("times are UTC wherever the reader is, and what is no time stays as it is", () => {
  expect(moment("2026-11-21T03:45:38Z")).toBe("2026-11-21 03:45 UTC");
  expect(date("2026-11-21T23:59:59-05:00")).toBe("2026-11-22");
  expect(date("yesterday")).toBe("yesterday");
});

test("a metric of a newer version keeps its own name", () => {
  const say = sayIn("en");
  expect(metricName("throughput_rps", say)).toBe("Throughput");
  expect(metricName("throughput_rps", sayIn("zh"))).toBe("吞吐量");
  expect(metricName("joules_per_request", say)).toBe("joules_per_request");
  expect(metricName("constructor", say)).toBe("constructor");
});

test("words of others cannot turn the direction of writing or break a line", () => {
  expect(oneLine("safe\u202eexe.txt\nnext")).toBe("safe exe.txt next");
  expect(subject("First line\n\nBody")).toBe("First line");
  expect(subject("x".repeat(100))).toHaveLength(72);
});
