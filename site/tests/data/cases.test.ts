import { expect, test } from "vitest";

import { configurationWords } from "../../src/data/cases";

test.each([
  ["nightly-3x10s", "nightly, 3 × 10 s"],
  ["nightly-3x2.5s-apart", "nightly, 3 × 2.5 s, apart"],
  ["commit-1x10s-env-1a2b3c4d", "commit, 1 × 10 s, variables 1a2b3c4d"],
  ["nightly-3x10s-apart-env-1a2b3c4d", "nightly, 3 × 10 s, apart, variables 1a2b3c4d"],
  [
    "quick-3x10s-env-1a2b3c4d-ask-5e6f7081",
    "quick, 3 × 10 s, variables 1a2b3c4d, requests 5e6f7081",
  ],
  ["quick-3x10s-ask-5e6f7081", "quick, 3 × 10 s, requests 5e6f7081"],
  ["nightly", "nightly"],
  ["far-apart", "far-apart"],
])("measurement configuration %s are %s in words", (configuration, words) => {
  expect(configurationWords(configuration)).toBe(words);
});
