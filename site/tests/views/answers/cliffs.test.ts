import { expect, test } from "vitest";
import { syntheticAnswers } from "../../../scripts/synthetic_answers.mjs";
import type { PublishedAnswer } from "../../../src/data/answers";
import { cliffSpan, ladderTicks } from "../../../src/views/answers/cliffs";

const SIZES = ["64m", "80m", "96m", "112m", "1g"];
const [answer] = syntheticAnswers({
  run: "gh-1",
  startedAt: "2026-11-28T06:00:00Z",
  hostClass: "c0ffee12",
}) as unknown as readonly [PublishedAnswer];
const ladder: PublishedAnswer = {
  ...answer,
  baseline: "1g",
  en: { ...answer.en, steps: Object.fromEntries(SIZES.map((size) => [size, size])) },
};

test("a cliff lies between its two steps on the ladder", () => {
  expect(cliffSpan(ladder, { subject: "tomcat", low: "80m", high: "96m" })).toEqual({
    from: 0.25,
    to: 0.5,
  });
});

test("where the least step is enough, it begins at the end of the ladder", () => {
  expect(cliffSpan(ladder, { subject: "tomcat", low: null, high: "64m" })).toEqual({
    from: 0,
    to: 0,
  });
});

test("where no step is enough, there is nothing to draw", () => {
  expect(cliffSpan(ladder, { subject: "tomcat", low: null, high: null })).toBeNull();
});

test("the axis names both ends of the ladder, and some steps between", () => {
  expect(ladderTicks(ladder).map(({ step }) => step)).toEqual(["64m", "80m", "112m", "1g"]);
  const one = { ...ladder, en: { ...ladder.en, steps: { "1g": "1 GiB" } } };
  expect(ladderTicks(one)).toEqual([{ step: "1g", position: 0 }]);
});
