/** The answer of the newest measurements: what is fastest, how sure, and what got slower. */

import "./overview.css";
import { useApp, useWords } from "../../app/context";
import { latestRows } from "../../data/latest";
import { hostWarnings } from "../../data/rankings";
import { isOfService, servicesOf } from "../../data/service";
import { HostWarnings } from "../../parts/notes";
import { Notice } from "../../parts/notice";
import { useRunFiles } from "../../parts/run_files";
import { oneLine } from "../../words/format";
import { questions } from "./answer";
import { MeasurementNote } from "./measured";
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
