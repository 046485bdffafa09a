/** Names of what an answer is about. Pure. */

import type { PublishedAnswer } from "../../data/answers";
import { oneLine } from "../../words/format";
import type { Language } from "../../words/words";

/** The words of an answer; in English where it has no others. */
export function wordsOf(answer: PublishedAnswer, language: Language): PublishedAnswer["en"] {
  return answer[language] ?? answer.en;
}

/** A step as a sentence calls it. */
export function stepName(answer: PublishedAnswer, step: string, language: Language): string {
  const { steps } = wordsOf(answer, language);
  return oneLine(Object.hasOwn(steps, step) ? (steps[step] ?? step) : step);
}
