/** What people ask, answered by what was measured on these hosts. */

import "./answers.css";
import { useApp, useWords } from "../../app/context";
import { answersOf, openQuestions } from "../../data/answers";
import { OpenList } from "../../parts/open_list";
import { AnswerSection } from "./answer_section";
import { answerWords } from "./words";

export function Answers() {
  const { row } = useApp();
  const own = useWords(answerWords);
  return (
    <>
      <h1>{own("title")}</h1>
      <p class="lead">{own("lead")}</p>
      {answersOf(row).map((answer, at) => (
        <AnswerSection key={answer.question} answer={answer} id={`answer-${at}`} />
      ))}
      <OpenQuestions />
    </>
  );
}

function OpenQuestions() {
  const { row, language } = useApp();
  const own = useWords(answerWords);
  const open = openQuestions(row);
  if (open.length === 0) return null;
  return (
    <section aria-labelledby="open-questions">
      <h2 id="open-questions">{own("open")}</h2>
      <p class="quiet">{own("open.how")}</p>
      <OpenList items={open.map(({ id, [language]: text, command }) => ({ id, text, command }))} />
    </section>
  );
}
