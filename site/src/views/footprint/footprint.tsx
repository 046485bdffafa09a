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
  const { index, row, asked } = useApp();
  const own = useWords(footprintWords);
  const loads = loadsOf(latestRows(index, row));
  const load = settleLoad(loads, asked.get("workload"));
  const count = load && settleCount(load, asked.get("connections"));
  return (
    <>
      <h1>{own("title")}</h1>
      <p class="lead">{own("lead")}</p>
      {load && count && (
        <>
          <LoadPicker loads={loads} load={load} connections={count.connections} />
          <OfLoad key={`${load.id} ${count.connections}`} rows={count.rows} />
        </>
      )}
    </>
  );
}

function OfLoad({ rows }: { readonly rows: readonly LatestRow[] }) {
  const { index } = useApp();
  const own = useWords(footprintWords);
  const columns = columnsOf(index, rows);
  const files = useRunFiles(rows);
  if (columns.length === 0) {
    return (
      <p class="blank">
        {own("nothing")} {own("nothing.remedy")}
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
  const { asked, choose, say } = useApp();
  const own = useWords(footprintWords);
  const [words, setWords] = useTyped();
  const narrowed = new URLSearchParams(asked);
  // these are the load's, and not filters of the table
  for (const axis of ["workload", "connections"]) narrowed.delete(axis);
  const shown = rows.filter((row) => fits(row.case, narrowed, words));
  const marks = distinct(shown.flatMap((row) => row.marks));
  return (
    <section aria-labelledby="variants">
      <h2 id="variants">{own("variants")}</h2>
      <p class="quiet">
        {own("variants.text")} <Measured rows={shown} />
      </p>
      {marks.length > 0 && <p class="mark">{own("care", { marks: markWords(marks, say) })}</p>}
      <CaseFilters cases={rows.map((row) => row.case)} words={words} onWords={setWords} />
      {shown.length > 0 ? (
        <>
          {problem !== null && <Notice problem={problem} say={say} />}
          <HostWarnings texts={hostWarnings(runs)} />
          <FootprintTable rows={shown} columns={columns} rankOf={rankOf} />
          <Notes rows={shown.map(({ case: of, notes }) => ({ of, notes }))} />
        </>
      ) : (
        <p class="blank">
          {own("none-fits")}{" "}
          <button type="button" onClick={() => choose(CLEARED)}>
            {own("clear")}
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

function Measured({ rows }: { readonly rows: readonly LatestRow[] }) {
  const own = useWords(footprintWords);
  const newest = rows
    .map((row) => row.startedAt)
    .toSorted()
    .at(-1);
  const ways = distinct(rows.map((row) => configurationWords(row.case.configuration)));
  if (newest === undefined) return null;
  return <>{own("measured", { day: date(newest), how: oneLine(ways.join("; ")) })}</>;
}
