/** What each variant takes of a host, and what a native image gains and costs. */

import "./footprint.css";
import { useApp, useWords } from "../../app/context";
import { fits } from "../../data/case_filter";
import { configurationWords, distinct } from "../../data/cases";
import type { MetricRow } from "../../data/contract";
import { type LatestRow, latestRows } from "../../data/latest";
import { loadsOf, settleCount, settleLoad } from "../../data/loads";
import { hostWarnings } from "../../data/rankings";
import { CaseFilters, useTyped } from "../../parts/case_filters";
import { Downloads } from "../../parts/downloads";
import { LoadPicker } from "../../parts/load_picker";
import { markWords } from "../../parts/marks";
import { HostWarnings, Notes } from "../../parts/notes";
import { Notice } from "../../parts/notice";
import { type RunFiles, useRunFiles } from "../../parts/run_files";
import { date, oneLine } from "../../words/format";
import { Exchanges } from "./exchanges";
import { columnsOf, fieldsOf } from "./rows";
import { FootprintTable } from "./table";
import { footprintWords } from "./words";

export function Footprint() {
  const { index, row, query } = useApp();
  const text = useWords(footprintWords);
  const loads = loadsOf(latestRows(index, row));
  const load = settleLoad(loads, query.get("workload"));
  const count = load && settleCount(load, query.get("connections"));
  return (
    <>
      <h1>{text("title")}</h1>
      <p class="lead">{text("lead")}</p>
      {load && count && (
        <>
          <LoadPicker loads={loads} load={load} connections={count.connections} />
          <LoadSection key={`${load.id} ${count.connections}`} rows={count.rows} />
        </>
      )}
    </>
  );
}

function LoadSection({ rows }: { readonly rows: readonly LatestRow[] }) {
  const { index } = useApp();
  const text = useWords(footprintWords);
  const columns = columnsOf(index, rows);
  const files = useRunFiles(rows);
  if (columns.length === 0) {
    return (
      <p class="blank">
        {text("nothing")} {text("nothing.remedy")}
      </p>
    );
  }
  return (
    <>
      <Exchanges rows={rows} rankOf={files.rankOf} />
      <Variants rows={rows} columns={columns} files={files} />
    </>
  );
}

interface Props {
  readonly rows: readonly LatestRow[];
  readonly columns: readonly MetricRow[];
  readonly files: RunFiles;
}

function Variants({ rows, columns, files: { runs, rankOf, problem } }: Props) {
  const { query, choose, say } = useApp();
  const text = useWords(footprintWords);
  const [words, setWords] = useTyped();
  const narrowed = new URLSearchParams(query);
  // these are the load's, and not filters of the table
  for (const axis of ["workload", "connections"]) narrowed.delete(axis);
  const shown = rows.filter((row) => fits(row.case, narrowed, words));
  const marks = distinct(shown.flatMap((row) => row.marks));
  return (
    <section aria-labelledby="variants">
      <h2 id="variants">{text("variants")}</h2>
      <p class="quiet">
        {text("variants.text")} <MeasurementNote rows={shown} />
      </p>
      {marks.length > 0 && <p class="mark">{text("care", { marks: markWords(marks, say) })}</p>}
      <CaseFilters cases={rows.map((row) => row.case)} words={words} onWords={setWords} />
      {shown.length > 0 ? (
        <>
          {problem !== null && <Notice problem={problem} say={say} />}
          <HostWarnings texts={hostWarnings(runs)} />
          <FootprintTable rows={shown} columns={columns} rankOf={rankOf} />
          <Notes rows={shown.map(({ case: caseRow, notes }) => ({ case: caseRow, notes }))} />
        </>
      ) : (
        <p class="blank">
          {text("none-fits")}{" "}
          <button type="button" onClick={() => choose(CLEARED)}>
            {text("clear")}
          </button>
        </p>
      )}
      <Downloads name="footprint" rows={shown.map((row) => fieldsOf(row, columns))} />
    </section>
  );
}

const CLEARED = {
  server: undefined,
  model: undefined,
  runtime: undefined,
  boot: undefined,
  q: undefined,
};

function MeasurementNote({ rows }: { readonly rows: readonly LatestRow[] }) {
  const text = useWords(footprintWords);
  const newest = rows
    .map((row) => row.startedAt)
    .toSorted()
    .at(-1);
  const ways = distinct(rows.map((row) => configurationWords(row.case.configuration)));
  if (newest === undefined) return null;
  return <>{text("measured", { day: date(newest), how: oneLine(ways.join("; ")) })}</>;
}
