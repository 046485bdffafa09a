/** Latencies at constant rates: how long the slowest requests wait, as percentiles. */

import "./latency.css";
import { useApp, useWords } from "../../app/context";
import { fits } from "../../data/case_filter";
import { configurationWords, distinct } from "../../data/cases";
import { distributionsAt, RATED, RATES, type Rate, settleRate } from "../../data/distributions";
import { type LatestRow, latestRows } from "../../data/latest";
import { loadsOf, settleCount, settleLoad } from "../../data/loads";
import type { PublishedRun } from "../../data/published";
import { hostWarnings, type RankOf } from "../../data/rankings";
import { CaseFilters, useTyped } from "../../parts/case_filters";
import { LoadPicker } from "../../parts/load_picker";
import { markWords } from "../../parts/marks";
import { HostWarnings, Notes } from "../../parts/notes";
import { Notice } from "../../parts/notice";
import { useRunFiles } from "../../parts/run_files";
import { oneLine } from "../../words/format";
import { Answer } from "./answer";
import { Percentiles } from "./percentiles";
import { LatencyTable } from "./table";
import { latencyWords } from "./words";

export function Latency() {
  const { index, row, query } = useApp();
  const text = useWords(latencyWords);
  const loads = loadsOf(latestRows(index, row, RATED));
  const load = settleLoad(loads, query.get("workload"));
  const count = load && settleCount(load, query.get("connections"));
  return (
    <>
      <h1>{text("title")}</h1>
      <p class="lead">{text("lead")}</p>
      {load && count ? (
        <>
          <LoadPicker loads={loads} load={load} connections={count.connections} />
          <LoadSection key={`${load.id} ${count.connections}`} rows={count.rows} />
        </>
      ) : (
        <p class="blank">
          {text("nothing")} {text("nothing.remedy")}
        </p>
      )}
    </>
  );
}

function LoadSection({ rows }: { readonly rows: readonly LatestRow[] }) {
  const { say } = useApp();
  const { waiting, runs, rankOf, problem } = useRunFiles(rows);
  if (waiting) return <p class="waiting">{say("page.loading")}</p>;
  return (
    <>
      {problem !== null && <Notice problem={problem} say={say} />}
      <LatencySections rows={rows} runs={runs} rankOf={rankOf} />
    </>
  );
}

interface Props {
  readonly rows: readonly LatestRow[];
  readonly runs: readonly PublishedRun[];
  readonly rankOf: RankOf;
}

function LatencySections({ rows, runs, rankOf }: Props) {
  const { query, say } = useApp();
  const text = useWords(latencyWords);
  const [words, setWords] = useTyped();
  const rate = settleRate(query.get("rate"));
  const narrowed = new URLSearchParams(query);
  // the load is chosen above
  for (const axis of ["workload", "connections"]) narrowed.delete(axis);
  const all = distributionsAt(runs, rows, rate);
  const shown = all.filter(({ row }) => fits(row.case, narrowed, words));
  const marks = distinct(shown.flatMap(({ row }) => row.marks));
  const how = distinct(shown.map(({ row }) => configurationWords(row.case.configuration))).join(
    "; ",
  );
  return (
    <>
      <Rates chosen={rate} />
      {marks.length > 0 && <p class="mark">{text("care", { marks: markWords(marks, say) })}</p>}
      <HostWarnings texts={hostWarnings(runs)} />
      <CaseFilters cases={all.map(({ row }) => row.case)} words={words} onWords={setWords} />
      {shown.length === 0 ? (
        <p class="blank">{text(all.length === 0 ? "none-counts" : "none-fits")}</p>
      ) : (
        <>
          <Answer shown={shown} rate={rate} rankOf={rankOf} />
          <Percentiles shown={shown} rate={rate} />
          <LatencyTable shown={shown} rate={rate} />
          <Notes
            rows={shown.map(({ row: { case: caseRow, notes } }) => ({ case: caseRow, notes }))}
          />
          <p class="quiet">{text("measured", { how: oneLine(how) })}</p>
        </>
      )}
    </>
  );
}

/** Which percentage of its own capacity each variant is loaded with. */
function Rates({ chosen }: { readonly chosen: Rate }) {
  const { choose } = useApp();
  const text = useWords(latencyWords);
  return (
    <fieldset class="shares">
      <legend class="hidden">{text("rate")}</legend>
      {RATES.map((rate) => (
        <button
          key={rate}
          type="button"
          aria-pressed={rate === chosen}
          onClick={() => choose({ rate: rate === RATES[0] ? undefined : String(rate) })}
        >
          {text(`rate.${rate}`)}
        </button>
      ))}
    </fieldset>
  );
}
