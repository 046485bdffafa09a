/** What each study published, what was measured since, and what explains the difference. */

import "./studies.css";
import { useApp, useWords } from "../../app/context";
import type { Fields } from "../../data/export";
import { counterpartsOf, type Pair, STUDIES, type Study } from "../../data/studies";
import { Downloads } from "../../parts/downloads";
import { oneLine } from "../../words/format";
import { Claims } from "./claims";
import { FigureTable } from "./figure_table";
import { Reversals } from "./reversals";
import { SettingTable } from "./setting_table";
import { type StudyWord, studyWords } from "./words";

export function Studies() {
  const text = useWords(studyWords);
  return (
    <>
      <h1>{text("title")}</h1>
      <p class="lead">{text("lead")}</p>
      <Claims />
      {STUDIES.map((study) => (
        <OneStudy key={study.id} study={study} />
      ))}
    </>
  );
}

function OneStudy({ study }: { readonly study: Study }) {
  const { index, row } = useApp();
  const text = useWords(studyWords);
  const { pairs, reversals } = counterpartsOf(study, index, row);
  const met = inOrder(pairs.filter((pair) => pair.measured !== null && !isNothing(pair)));
  const missingCount = study.figures.length - met.length;
  return (
    <section aria-labelledby={`study-${study.id}`}>
      <h2 id={`study-${study.id}`}>
        {ofStudy("question", study.id, text) ?? text("unknown")}{" "}
        <span class="quiet">{text("study", { id: study.id })}</span>
      </h2>
      <p>{ofStudy("answer", study.id, text)}</p>
      {met.length === 0 ? (
        <p class="blank">{text("not-here", { profile: oneLine(study.profile) })}</p>
      ) : (
        <>
          <FigureTable pairs={met} label={text("figures")} />
          <Reversals reversals={reversals} />
          <SettingTable setting={study.setting} pairs={met} />
          <p class="quiet">
            {missingCount > 0 && text("missing", { count: missingCount })}{" "}
            {text("repeat", { profile: oneLine(study.profile) })}
          </p>
          <Downloads name={`study-${study.id}`} rows={met.map(fieldsOf)} />
        </>
      )}
    </section>
  );
}

/** That nothing failed, there and here, is no news. */
function isNothing({ figure, measured }: Pair): boolean {
  return figure.published === 0 && measured?.median === 0;
}

/** What a server can do comes first. */
function inOrder(pairs: readonly Pair[]): readonly Pair[] {
  return pairs.toSorted(
    (a, b) => Number(b.figure.metric === RATE) - Number(a.figure.metric === RATE),
  );
}

const RATE = "throughput_rps";

/** A sentence on a study; null of one that these words do not know. */
function ofStudy(
  kind: "question" | "answer",
  id: string,
  text: (key: StudyWord) => string,
): string | null {
  const key = `${kind}.${id}`;
  return Object.hasOwn(studyWords.en, key) ? text(key as StudyWord) : null;
}

function fieldsOf({ figure, row, measured, ratio }: Pair): Fields {
  return {
    variant: [figure.boot, figure.server, figure.model, figure.runtime].join("-"),
    workload: figure.workload ?? null,
    connections: figure.connections ?? null,
    metric: figure.metric,
    published: figure.published,
    measured: measured?.median ?? null,
    measured_low: measured && measured.forks > 1 ? measured.low : null,
    measured_high: measured && measured.forks > 1 ? measured.high : null,
    ratio,
    case: row?.case.case ?? null,
    configuration: row?.case.configuration ?? null,
    bottleneck: row?.bottleneck ?? null,
  };
}
