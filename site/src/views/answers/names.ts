/** Names of what an answer is about. Pure. */

import type { PublishedAnswer } from "../../data/answers";
import { serverName } from "../../parts/names";
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

/** `Tomcat`, `Tomcat pay`: a server, and what else tells a subject apart. */
export function subjectName(subject: string): string {
  const [server = "", ...parts] = subject.split(" ");
  return [serverName(server), ...parts.map(oneLine)].join(" ");
}
