import { expect, test } from "vitest";
import { answersOf, openQuestions, type PublishedAnswer, QUESTIONS } from "../../src/data/answers";
import { documents } from "../documents";

const { index } = documents({ runs: 1, cases: 1 });

function row() {
  const [first] = index.classes;
  if (first === undefined) throw new Error("no class");
  return first;
}

test("answers come in the order of the questions, unknown ones last", () => {
  const [known] = row().answers ?? [];
  const named = (question: string) => ({ ...known, question }) as PublishedAnswer;
  const answers = [named("newer"), named("waiting"), named("boot")];
  const order = answersOf({ ...row(), answers }).map(({ question }) => question);
  expect(order).toEqual(["boot", "waiting", "newer"]);
});

test("what was not measured is listed with its command", () => {
  const open = openQuestions(row());
  expect(open.map(({ id }) => id)).not.toContain("protocols");
  expect(open).toHaveLength(QUESTIONS.length - 3);
  expect(open[0]?.command).toBe(`springbench ask ${open[0]?.id}`);
});

test("a history of an older version has no answers, and every question is open", () => {
  const { answers, ...older } = row();
  expect(answersOf(older)).toEqual([]);
  expect(openQuestions(older)).toEqual(QUESTIONS);
});
