/** What people ask, answered by what was measured on these hosts. */

import "./answers.css";
import { useApp, useWords } from "../../app/context";
import { answersOf, openQuestions } from "../../data/answers";
import { OpenList } from "../../parts/open_list";
import { AnswerSection } from "./answer_section";
import { answerWords } from "./words";

export function Answers() {
  const { row } = useApp();
  const text = useWords(answerWords);
  return (
    <>
      <h1>{text("title")}</h1>
      <p class="lead">{text("lead")}</p>
      {answersOf(row).map((answer, at) => (
        <AnswerSection key={answer.question} answer={answer} id={`answer-${at}`} />
      ))}
      <OpenQuestions />
    </>
  );
}

function OpenQuestions() {
  const { row, language } = useApp();
  const text = useWords(answerWords);
  const open = openQuestions(row);
  if (open.length === 0) return null;
  return (
    <section aria-labelledby="open-questions">
      <h2 id="open-questions">{text("open")}</h2>
      <p class="quiet">{text("open.how")}</p>
      <OpenList
        items={open.map(({ id, [language]: words, command }) => ({ id, text: words, command }))}
      />
    </section>
  );
}
