/** One question: its answer in sentences, a chart, the figures behind it, and where they are from. */

import { useApp, useWords } from "../../app/context";
import type { PublishedAnswer } from "../../data/answers";
import { caseOf, distinct } from "../../data/cases";
import { Downloads } from "../../parts/downloads";
import { date, oneLine } from "../../words/format";
import { AnswerTable } from "./answer_table";
import { CliffChart } from "./cliff_chart";
import { drawnMetric } from "./dots";
import { fieldsOf } from "./exported";
import { stepName, wordsOf } from "./names";
import { RatioChart } from "./ratio_chart";
import { answerWords } from "./words";

/** A note of the run, or of one of its steps. */
const WARNING = /(?:^|: )warning: /;

interface Props {
  readonly answer: PublishedAnswer;
  /** Of its heading. */
  readonly id: string;
}

export function AnswerSection({ answer, id }: Props) {
  const { language } = useApp();
  const text = useWords(answerWords);
  const { question, sentences, notes: own = [] } = wordsOf(answer, language);
  const notes = own.length > 0 ? own : answer.notes;
  const metric = drawnMetric(answer);
  const title = oneLine(question);
  const warnings = answer.notes.filter((note) => WARNING.test(note)).length;
  return (
    <section class="asked" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <p class="answer">{sentences.map(oneLine).join(language === "zh" ? "" : " ")}</p>
      {(answer.cliffs ?? []).length > 0 ? (
        <CliffChart answer={answer} />
      ) : (
        metric !== null && <RatioChart answer={answer} metric={metric} />
      )}
      <NotMeasured answer={answer} />
      <details>
        <summary>{text("figures", { count: answer.rows.length })}</summary>
        {answer.rounds > 1 && <p class="quiet source">{text("rounds")}</p>}
        <AnswerTable answer={answer} label={title} />
        <Downloads name={`answer-${answer.question}`} rows={answer.rows.map(fieldsOf)} />
      </details>
      <details class="notes">
        <summary>
          {text("notes", { count: notes.length })}
          {warnings > 0 && <strong> {text("warned", { count: warnings })}</strong>}
        </summary>
        <ul>
          {notes.map((note) => (
            <li key={note} lang={own.length > 0 ? undefined : "en"}>
              {oneLine(note)}
            </li>
          ))}
        </ul>
      </details>
      <Source answer={answer} />
    </section>
  );
}

function NotMeasured({ answer }: { readonly answer: PublishedAnswer }) {
  const { language } = useApp();
  const text = useWords(answerWords);
  const without = answer.rows.filter((row) => row.not_measured && !row.failed);
  if (without.length === 0) return null;
  const names = without.map((row) =>
    [oneLine(row.subject), stepName(answer, row.step, language)].filter(Boolean).join(" "),
  );
  return <p class="quiet source">{text("lacking", { names: names.join(" · ") })}</p>;
}

/** When, where, and how to measure it again. */
function Source({ answer }: { readonly answer: PublishedAnswer }) {
  const { to } = useApp();
  const text = useWords(answerWords);
  return (
    <p class="quiet source">
      <a href={to("run", { id: answer.run })}>
        {text("measured", { day: date(answer.started_at) })}
      </a>
      {" · "}
      <span lang="en">{oneLine(answer.host)}</span>
      <br />
      <Load answer={answer} />
      <br />
      {text("repeat")}{" "}
      {answer.commands.map((command) => (
        <code key={command}>{oneLine(command)}</code>
      ))}
    </p>
  );
}

/** What the servers were asked for, and the models of their threads. */
function Load({ answer }: { readonly answer: PublishedAnswer }) {
  const text = useWords(answerWords);
  const cases = answer.rows.map((row) => caseOf(row.case));
  const loads = cases.map(({ workload, connections }) =>
    text("under.load", { workload: oneLine(workload), connections }),
  );
  const models = cases.map(({ model }) => oneLine(model)).filter(Boolean);
  return (
    <>
      {text("under", {
        loads: distinct(loads).join(" · "),
        models: distinct(models).join(", "),
      })}
    </>
  );
}
