/** The answer of the newest measurements: what is fastest, how sure, and what got slower. */

import "./overview.css";
import { useApp, useWords } from "../../app/context";
import { latestRows } from "../../data/latest";
import { isOfService, servicesOf } from "../../data/service";
import { oneLine } from "../../words/format";
import { questions } from "./answer";
import { Measured } from "./measured";
import { OpenRegressions } from "./open_regressions";
import { QuestionSection } from "./question";
import { overviewWords } from "./words";

export function Overview() {
  const { index, row } = useApp();
  const own = useWords(overviewWords);
  const rows = latestRows(index, row);
  return (
    <>
      <h1>
        {isOfService(index)
          ? own("title.service", { name: oneLine(servicesOf(index).join(", ")) })
          : own("title")}
      </h1>
      <OpenRegressions />
      <Measured rows={rows} />
      <div class="questions">
        {questions(rows).map((question) => (
          <QuestionSection
            key={`${question.service ?? ""} ${question.workload}`}
            question={question}
          />
        ))}
      </div>
    </>
  );
}
