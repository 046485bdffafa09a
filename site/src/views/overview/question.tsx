/** One workload: its question, the answer in a sentence, and the heat map behind it. */

import { useApp, useWords } from "../../app/context";
import type { LatestRow } from "../../data/latest";
import { known } from "../../parts/marks";
import { nameAmong } from "../../parts/names";
import { oneLine, quantity } from "../../words/format";
import type { Values } from "../../words/words";
import { answer, type Question, rate, shareOfIdeal } from "./answer";
import { HeatMap } from "./heat_map";
import { overviewWords } from "./words";

export function QuestionSection({ question }: { readonly question: Question }) {
  const { say } = useApp();
  const own = useWords(overviewWords);
  const { service, workload } = question;
  const of = [service, workload].filter((part) => part !== null).join(" ");
  const id = `question-${of.replace(/[^\w-]/g, "-")}`;
  return (
    <section class="question" aria-labelledby={id}>
      <h2 id={id}>
        {service !== null && `${oneLine(service)}: `}
        {known("workload", workload, say)}{" "}
        <span class="load">
          {own("load", {
            workload: oneLine(workload),
            connections: quantity(question.connections, "count"),
          })}
        </span>
      </h2>
      <p class="answer">{answerWords(question, own)}</p>
      <HeatMap question={question} labelledBy={id} />
    </section>
  );
}

type Own = (key: keyof typeof overviewWords.en, values?: Values) => string;

/** The answer as one sentence. */
export function answerWords(question: Question, own: Own): string {
  const found = answer(question);
  const cases = question.rows.map((row) => row.case);
  const name = (row: LatestRow) => nameAmong(row.case, cases);
  if (found.kind === "nothing") return own("answer.nothing");
  if (found.kind === "ideal") {
    const [worst] = found.below;
    const values = { reach: found.reach.length, all: found.reach.length + found.below.length };
    if (worst === undefined)
      return own(values.all === 1 ? "answer.ideal-alone" : "answer.ideal-all", values);
    const share = quantity(shareOfIdeal(worst), "ratio");
    return own("answer.ideal", { ...values, worst: name(worst), share });
  }
  const [best] = found.ties;
  if (best === undefined) return own("answer.nothing");
  const values = { best: listed(found.ties.map(name)), rate: quantity(rate(best), "rps") };
  if (found.next === null)
    return own(found.ties.length === 1 ? "answer.alone" : "answer.all-tied", values);
  const next = name(found.next);
  const ahead = quantity(rate(best) / rate(found.next) - 1, "ratio");
  return own(found.ties.length > 1 ? "answer.tied" : "answer.best", { ...values, next, ahead });
}

const MOST_NAMES = 3;

function listed(names: readonly string[]): string {
  const shown = names.slice(0, MOST_NAMES);
  const more = names.length - shown.length;
  return shown.join(", ") + (more > 0 ? ` +${more}` : "");
}
