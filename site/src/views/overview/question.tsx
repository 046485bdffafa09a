/** One workload: its question, the answer in a sentence, and the heat map behind it. */

import { useApp, useWords } from "../../app/context";
import type { LatestRow } from "../../data/latest";
import type { RankOf } from "../../data/rankings";
import { known } from "../../parts/marks";
import { nameAmong } from "../../parts/names";
import { Notes } from "../../parts/notes";
import { oneLine, quantity } from "../../words/format";
import type { Values } from "../../words/words";
import { answer, type Question, rate, shareOfTheoreticalMax } from "./answer";
import { HeatMap } from "./heat_map";
import { overviewWords } from "./words";

interface Props {
  readonly question: Question;
  readonly rankOf: RankOf;
  /** Whether the rankings are still on their way. */
  readonly waiting: boolean;
}

export function QuestionSection({ question, rankOf, waiting }: Props) {
  const { say } = useApp();
  const text = useWords(overviewWords);
  const { service, workload } = question;
  const subject = [service, workload].filter((part) => part !== null).join(" ");
  const id = `question-${subject.replace(/[^\w-]/g, "-")}`;
  return (
    <section class="question" aria-labelledby={id}>
      <h2 id={id}>
        {service !== null && `${oneLine(service)}: `}
        {known("workload", workload, say)}{" "}
        <span class="load">
          {text("load", {
            workload: oneLine(workload),
            connections: quantity(question.connections, "count"),
          })}
        </span>
      </h2>
      <p class="answer">{waiting ? say("page.loading") : answerWords(question, rankOf, text)}</p>
      <HeatMap question={question} rankOf={rankOf} labelledBy={id} />
      <Notes rows={question.rows.map(({ case: caseRow, notes }) => ({ case: caseRow, notes }))} />
    </section>
  );
}

type ViewText = (key: keyof typeof overviewWords.en, values?: Values) => string;

/** The answer as one sentence. */
export function answerWords(question: Question, rankOf: RankOf, text: ViewText): string {
  const found = answer(question, rankOf);
  const cases = question.rows.map((row) => row.case);
  const name = (row: LatestRow) => nameAmong(row.case, cases);
  if (found.kind === "nothing") return text("answer.nothing");
  if (found.kind === "theoreticalMax") {
    const [worst] = found.below;
    const values = { reach: found.reach.length, all: found.reach.length + found.below.length };
    if (worst === undefined)
      return text(
        values.all === 1 ? "answer.theoreticalMax-alone" : "answer.theoreticalMax-all",
        values,
      );
    const share = quantity(shareOfTheoreticalMax(worst), "ratio");
    return text("answer.theoreticalMax", { ...values, worst: name(worst), share });
  }
  if (found.kind === "alone") {
    return text("answer.alone", { best: name(found.row), rate: quantity(rate(found.row), "rps") });
  }
  if (found.kind === "unranked") {
    const { most, least } = found;
    const edges = { high: quantity(rate(most), "rps"), low: quantity(rate(least), "rps") };
    return text("answer.unranked", { most: name(most), least: name(least), ...edges });
  }
  const best = listed(found.ties.map(({ row }) => name(row)));
  if (found.next === null) return text("answer.all-tied", { best });
  const { row, rank } = found.next;
  const edges = { low: quantity(rank.low, "ratio"), high: quantity(rank.high, "ratio") };
  const next = { next: name(row), share: quantity(rank.ratio, "ratio"), ...edges };
  return text(found.ties.length > 1 ? "answer.tied" : "answer.best", { best, ...next });
}

const MOST_NAMES = 3;

function listed(names: readonly string[]): string {
  const shown = names.slice(0, MOST_NAMES);
  const more = names.length - shown.length;
  return shown.join(", ") + (more > 0 ? ` +${more}` : "");
}
