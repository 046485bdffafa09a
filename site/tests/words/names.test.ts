import { expect, test } from "vitest";

import { known } from "../../src/parts/marks";
import { sayIn } from "../../src/words/words";

test.each([
  ["hello", "hello (a short text)"],
  ["hello-h2", "hello (a short text) · HTTP/2"],
  ["json-in", "A validated JSON request"],
  ["json-in-https1", "A validated JSON request · HTTPS"],
  ["shop-h2c", "shop · HTTP/2 without TLS"],
  ["my-own-route", "my own route"],
  ["h2", "h2"],
])("the workload %s is called %s", (name, words) => {
  expect(known("workload", name, sayIn("en"))).toBe(words);
});

test("a protocol is part of the name of a workload alone", () => {
  expect(known("bottleneck", "hello-h2", sayIn("en"))).toBe("hello h2");
});
