/** What people ask, answered by what was measured on these hosts. */

import "./answers.css";
import { useEffect } from "preact/hooks";
import { useApp, useWords } from "../../app/context";
import { answersOf, openQuestions } from "../../data/answers";
import { OpenList } from "../../parts/open_list";
import { oneLine } from "../../words/format";
import { AnswerSection } from "./answer_section";
import { wordsOf } from "./names";
import { answerWords } from "./words";

const ASKED = "question";
/** In the place of a question: those that nobody has measured. */
const OPEN = "open";

function headingOf(question: string): string {
  return `answer-${question}`;
}

/** Brings a question into view, also one whose link was followed before. */
function showQuestion(question: string): void {
  document.getElementById(headingOf(question))?.scrollIntoView();
}

export function Answers() {
  const { row } = useApp();
  const text = useWords(answerWords);
  return (
    <>
      <h1>{text("title")}</h1>
      <p class="lead">{text("lead")}</p>
      <Questions />
      {answersOf(row).map((answer) => (
        <AnswerSection key={answer.question} answer={answer} id={headingOf(answer.question)} />
      ))}
      <OpenQuestions />
    </>
  );
}

/** Those that are answered, each with a link of its own, and how many are not. */
function Questions() {
  const { row, language, query, to } = useApp();
  const text = useWords(answerWords);
  const answers = answersOf(row);
  const open = openQuestions(row);
  const asked = query.get(ASKED);
  useEffect(() => {
    if (asked !== null) showQuestion(asked);
  }, [asked]);
  if (answers.length < 2) return null;
  return (
    <nav class="questions" aria-label={text("questions")}>
      <ul>
        {answers.map((answer) => (
          <li key={answer.question}>
            <a
              href={to("answers", { [ASKED]: answer.question })}
              onClick={() => showQuestion(answer.question)}
            >
              {oneLine(wordsOf(answer, language).question)}
            </a>
          </li>
        ))}
        {open.length > 0 && (
          <li>
            <a
              href={to("answers", { [ASKED]: OPEN })}
              onClick={() => showQuestion(OPEN)}
              class="quiet"
            >
              {text("open.count", { count: open.length })}
            </a>
          </li>
        )}
      </ul>
    </nav>
  );
}

function OpenQuestions() {
  const { row, language } = useApp();
  const text = useWords(answerWords);
  const open = openQuestions(row);
  if (open.length === 0) return null;
  return (
    <section aria-labelledby={headingOf(OPEN)}>
      <h2 id={headingOf(OPEN)}>{text("open")}</h2>
      <p class="quiet">{text("open.how")}</p>
      <OpenList
        items={open.map(({ id, [language]: words, command }) => ({ id, text: words, command }))}
      />
    </section>
  );
}
