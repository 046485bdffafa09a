/** Latencies at constant rates: how long the slowest requests wait, as percentiles. */

import "./latency.css";
import { useApp, useWords } from "../../app/context";
import { fits } from "../../data/case_filter";
import { conditionsWords, distinct } from "../../data/cases";
import { distributionsAt, RATED, runsOf, settleShare } from "../../data/distributions";
import { type LatestRow, latestRows } from "../../data/latest";
import { loadsOf, settleCount, settleLoad } from "../../data/loads";
import { loadRun, type PublishedRun } from "../../data/published";
import { CaseFilters, useTyped } from "../../parts/case_filters";
import { LoadPicker } from "../../parts/load_picker";
import { useLoaded } from "../../parts/loaded";
import { markWords } from "../../parts/marks";
import { Notice } from "../../parts/notice";
import { oneLine } from "../../words/format";
import { Answer } from "./answer";
import { Percentiles } from "./percentiles";
import { Shares } from "./shares";
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

/** The runs that could be read, and the first reason why one could not. */
interface Read {
  readonly runs: readonly PublishedRun[];
  readonly problem: unknown;
}

/** Each by itself: a run that is broken costs its own cases. */
async function readRuns(ids: readonly string[]): Promise<Read> {
  const settled = await Promise.allSettled(ids.map(loadRun));
  return {
    runs: settled.flatMap((each) => (each.status === "fulfilled" ? [each.value] : [])),
    problem: settled.find((each) => each.status === "rejected")?.reason ?? null,
  };
}

function OfLoad({ rows }: { readonly rows: readonly LatestRow[] }) {
  const { say } = useApp();
  const ids = runsOf(rows);
  const loaded = useLoaded(ids.join(" "), () => readRuns(ids));
  if (loaded.state === "waiting") return <p class="waiting">{say("page.loading")}</p>;
  if (loaded.state === "failed") return <Notice problem={loaded.problem} say={say} />;
  return (
    <>
      {loaded.value.problem !== null && <Notice problem={loaded.value.problem} say={say} />}
      <Drawn rows={rows} runs={loaded.value.runs} />
    </>
  );
}

interface Given {
  readonly rows: readonly LatestRow[];
  readonly runs: readonly PublishedRun[];
}

function Drawn({ rows, runs }: Given) {
  const { asked, say } = useApp();
  const own = useWords(latencyWords);
  const [words, setWords] = useTyped();
  const share = settleShare(asked.get("rate"));
  const narrowed = new URLSearchParams(asked);
  // the load is chosen above
  for (const axis of ["workload", "connections"]) narrowed.delete(axis);
  const all = distributionsAt(runs, rows, share);
  const shown = all.filter(({ row }) => fits(row.case, narrowed, words));
  const marks = distinct(shown.flatMap(({ row }) => row.marks));
  const how = distinct(shown.map(({ row }) => conditionsWords(row.case.conditions))).join("; ");
  return (
    <>
      <Shares chosen={share} />
      {marks.length > 0 && <p class="mark">{own("care", { marks: markWords(marks, say) })}</p>}
      <CaseFilters cases={all.map(({ row }) => row.case)} words={words} onWords={setWords} />
      {shown.length === 0 ? (
        <p class="blank">{own(all.length === 0 ? "none-counts" : "none-fits")}</p>
      ) : (
        <>
          <Answer shown={shown} />
          <Percentiles shown={shown} share={share} />
          <LatencyTable shown={shown} share={share} />
          <p class="quiet">{own("measured", { how: oneLine(how) })}</p>
        </>
      )}
    </>
  );
}
