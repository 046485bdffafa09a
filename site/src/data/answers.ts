/** What the runs of a host class answer, and the questions that nobody has measured there. Pure. */

import questions from "../generated/questions.json";
import type { ClassRow } from "./contract";

export type PublishedAnswer = NonNullable<ClassRow["answers"]>[number];
export type PublishedCliff = NonNullable<PublishedAnswer["cliffs"]>[number];
export type AnsweredRow = PublishedAnswer["rows"][number];
export type AnsweredRatio = NonNullable<AnsweredRow["ratios"]>[string];

/** A question of bench/questions.toml. */
export interface Question {
  readonly id: string;
  readonly en: string;
  readonly zh: string;
  /** What measures it. */
  readonly command: string;
}

export const QUESTIONS: readonly Question[] = questions;

/** In the order in which they are declared; those that this page does not know yet come last. */
export function answersOf(row: ClassRow): readonly PublishedAnswer[] {
  const position = ({ question }: PublishedAnswer) => {
    const at = QUESTIONS.findIndex(({ id }) => id === question);
    return at < 0 ? QUESTIONS.length : at;
  };
  return (row.answers ?? []).toSorted((a, b) => position(a) - position(b));
}

/** The questions without an answer on a host class. */
export function openQuestions(row: ClassRow): readonly Question[] {
  const answered = new Set((row.answers ?? []).map(({ question }) => question));
  return QUESTIONS.filter(({ id }) => !answered.has(id));
}
