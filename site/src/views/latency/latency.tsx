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
  const { index, row, asked } = useApp();
  const own = useWords(latencyWords);
  const loads = loadsOf(latestRows(index, row, RATED));
  const load = settleLoad(loads, asked.get("workload"));
  const count = load && settleCount(load, asked.get("connections"));
  return (
    <>
      <h1>{own("title")}</h1>
      <p class="lead">{own("lead")}</p>
      {load && count ? (
        <>
          <LoadPicker loads={loads} load={load} connections={count.connections} />
          <OfLoad key={`${load.id} ${count.connections}`} rows={count.rows} />
        </>
      ) : (
        <p class="blank">
          {own("nothing")} {own("nothing.remedy")}
        </p>
      )}
    </>
  );
}

function OfLoad({ rows }: { readonly rows: readonly LatestRow[] }) {
  const { say } = useApp();
  const { waiting, runs, rankOf, problem } = useRunFiles(rows);
  if (waiting) return <p class="waiting">{say("page.loading")}</p>;
  return (
    <>
      {problem !== null && <Notice problem={problem} say={say} />}
      <Drawn rows={rows} runs={runs} rankOf={rankOf} />
    </>
  );
}

interface Props {
  readonly rows: readonly LatestRow[];
  readonly runs: readonly PublishedRun[];
  readonly rankOf: RankOf;
}

function Drawn({ rows, runs, rankOf }: Props) {
  const { asked, say } = useApp();
  const own = useWords(latencyWords);
  const [words, setWords] = useTyped();
  const rate = settleRate(asked.get("rate"));
  const narrowed = new URLSearchParams(asked);
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
      {marks.length > 0 && <p class="mark">{own("care", { marks: markWords(marks, say) })}</p>}
      <HostWarnings texts={hostWarnings(runs)} />
      <CaseFilters cases={all.map(({ row }) => row.case)} words={words} onWords={setWords} />
      {shown.length === 0 ? (
        <p class="blank">{own(all.length === 0 ? "none-counts" : "none-fits")}</p>
      ) : (
        <>
          <Answer shown={shown} rate={rate} rankOf={rankOf} />
          <Percentiles shown={shown} rate={rate} />
          <LatencyTable shown={shown} rate={rate} />
          <Notes rows={shown.map(({ row: { case: of, notes } }) => ({ of, notes }))} />
          <p class="quiet">{own("measured", { how: oneLine(how) })}</p>
        </>
      )}
    </>
  );
}

/** Which percentage of its own capacity each variant is loaded with. */
function Rates({ chosen }: { readonly chosen: Rate }) {
  const { choose } = useApp();
  const own = useWords(latencyWords);
  return (
    <fieldset class="shares">
      <legend class="hidden">{own("rate")}</legend>
      {RATES.map((rate) => (
        <button
          key={rate}
          type="button"
          aria-pressed={rate === chosen}
          onClick={() => choose({ rate: rate === RATES[0] ? undefined : String(rate) })}
        >
          {own(`rate.${rate}`)}
        </button>
      ))}
    </fieldset>
  );
}
