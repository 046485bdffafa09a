/** The answer of the newest measurements: what is fastest, how sure, and what got slower. */

import "./overview.css";
import { useApp, useWords } from "../../app/context";
import { configurationWords } from "../../data/cases";
import { type LatestRow, latestRows } from "../../data/latest";
import { hostWarnings } from "../../data/rankings";
import { isOfService, servicesOf } from "../../data/service";
import { Commit } from "../../parts/commit";
import { markWords } from "../../parts/marks";
import { HostWarnings } from "../../parts/notes";
import { Notice } from "../../parts/notice";
import { useRunFiles } from "../../parts/run_files";
import { date, oneLine } from "../../words/format";
import { questions } from "./answer";
import { OpenRegressions } from "./open_regressions";
import { QuestionSection } from "./question";
import { overviewWords } from "./words";

export function Overview() {
  const { index, row, say } = useApp();
  const text = useWords(overviewWords);
  const rows = latestRows(index, row);
  const { waiting, runs, rankOf, problem } = useRunFiles(rows);
  return (
    <>
      <h1>
        {isOfService(index)
          ? text("title.service", { name: oneLine(servicesOf(index).join(", ")) })
          : text("title")}
      </h1>
      <OpenRegressions />
      <MeasurementNote rows={rows} />
      {problem !== null && <Notice problem={problem} say={say} />}
      <div class="questions">
        {questions(rows).map((question) => (
          <QuestionSection
            key={`${question.service ?? ""} ${question.workload}`}
            question={question}
            rankOf={rankOf}
            waiting={waiting}
          />
        ))}
      </div>
      {/* below: what arrives later moves nothing that is read already */}
      <HostWarnings texts={hostWarnings(runs)} />
    </>
  );
}

/** When, on what and how the shown rows were measured, and what speaks against them. */
function MeasurementNote({ rows }: { readonly rows: readonly LatestRow[] }) {
  const { say } = useApp();
  const text = useWords(overviewWords);
  const newest = rows.toSorted((a, b) => a.startedAt.localeCompare(b.startedAt)).at(-1);
  if (newest === undefined) return null;
  const ways = [...new Set(rows.map((row) => configurationWords(row.case.configuration)))];
  const marks = [...new Set(rows.flatMap((row) => row.marks))];
  return (
    <div class="measured">
      <p class="quiet">
        {text(rows.length === 1 ? "measured.one" : "measured", {
          count: rows.length,
          day: date(newest.startedAt),
        })}{" "}
        {newest.sha && <Commit sha={newest.sha} />} {oneLine(ways.join("; "))}
      </p>
      {marks.length > 0 && <p class="mark">{text("care", { marks: markWords(marks, say) })}</p>}
    </div>
  );
}
