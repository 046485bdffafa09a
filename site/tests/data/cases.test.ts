import { expect, test } from "vitest";

import { conditionsWords } from "../../src/data/cases";

test.each([
  ["nightly-3x10s", "nightly, 3 × 10 s"],
  ["nightly-3x2.5s-apart", "nightly, 3 × 2.5 s, apart"],
  ["nightly", "nightly"],
  ["far-apart", "far-apart"],
])("conditions %s are %s in words", (conditions, words) => {
  expect(conditionsWords(conditions)).toBe(words);
});
