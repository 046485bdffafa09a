/** What each release of Spring Boot costs, and where it changed. */

import "./releases.css";
import { useApp, useWords } from "../../app/context";
import { fits } from "../../data/case_filter";
import { configurationWords, distinct } from "../../data/cases";
import type { CaseRow } from "../../data/contract";
import { latestRows } from "../../data/latest";
import { loadsOf, settleCount, settleLoad } from "../../data/loads";
import { byRelease, isOverReleases, type ReleaseSeries } from "../../data/releases";
import { loadStretch, pointsIn, type Stretch } from "../../data/series";
import { CaseFilters, useTyped } from "../../parts/case_filters";
import { LoadPicker } from "../../parts/load_picker";
import { useLoaded } from "../../parts/loaded";
import { Notice } from "../../parts/notice";
import { oneLine } from "../../words/format";
import { Answer } from "./answer";
import { ReleaseChart } from "./chart";
import { MetricPicker, settleMetric } from "./metric";
import { loadNeighbours, type Neighbours } from "./neighbours";
import { Steps } from "./steps";
import { ReleaseTable } from "./table";
import { releaseWords } from "./words";

/** So many runs are asked for at most: more than all releases that there will be. */
const MOST_RUNS = 2000;
/** Each release that was measured at all has it. */
const ANY_METRIC = "throughput_rps";

export function Releases() {
  const { index, row, asked } = useApp();
  const own = useWords(releaseWords);
  // a history of commits has measured the same cases in another way, and later
  const loads = loadsOf(latestRows(index, row, undefined, isOverReleases));
  const load = settleLoad(loads, asked.get("workload"));
  const count = load && settleCount(load, asked.get("connections"));
  return (
    <>
      <h1>{own("title")}</h1>
      <p class="lead">{own("lead")}</p>
      {load && count ? (
        <>
          <LoadPicker loads={loads} load={load} connections={count.connections} />
          <OfLoad
            key={`${load.workload} ${count.connections}`}
            cases={count.rows.map((each) => each.case)}
          />
        </>
      ) : (
        <p class="blank">
          {own("nothing")} {own("nothing.remedy")}
        </p>
      )}
    </>
  );
}

interface Part {
  readonly of: CaseRow;
  readonly stretch: Stretch;
}

interface Read {
  readonly parts: readonly Part[];
  readonly neighbours: Neighbours;
  readonly problem: unknown;
}

function OfLoad({ cases }: { readonly cases: readonly CaseRow[] }) {
  const { index, row, say } = useApp();
  const key = `${row.class} ${cases.map((of) => `${of.case}@${of.configuration}`).join(" ")}`;
  const loaded = useLoaded(key, () => read(cases));
  if (loaded.state === "waiting") return <p class="waiting">{say("page.loading")}</p>;
  if (loaded.state === "failed") return <Notice problem={loaded.problem} say={say} />;
  const { parts, neighbours, problem } = loaded.value;
  return (
    <>
      {problem !== null && <Notice problem={problem} say={say} />}
      {parts.length > 0 && <Drawn parts={parts} neighbours={neighbours} />}
    </>
  );

  /** Each by itself: a series that is broken does not affect the others. */
  async function read(all: readonly CaseRow[]): Promise<Read> {
    const settled = await Promise.allSettled(
      all.map(async (of) => ({ of, stretch: await loadStretch(row, of, MOST_RUNS) })),
    );
    const parts = settled.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
    const failed = settled.find((each) => each.status === "rejected")?.reason;
    const series = parts.map(({ of, stretch }) => byRelease(of, pointsIn(stretch, ANY_METRIC)));
    const neighbours = await loadNeighbours(index, row, series);
    const problem = failed ?? parts.flatMap(({ stretch }) => stretch.lost)[0] ?? null;
    return { parts, neighbours, problem };
  }
}

function Drawn({ parts, neighbours }: Pick<Read, "parts" | "neighbours">) {
  const { index, asked } = useApp();
  const own = useWords(releaseWords);
  const [words, setWords] = useTyped();
  const metric = settleMetric(index, asked.get("metric"));
  const narrowed = new URLSearchParams(asked);
  // the load is chosen above
  for (const axis of ["workload", "connections"]) narrowed.delete(axis);
  const all = parts.map(
    ({ of, stretch }): ReleaseSeries => byRelease(of, pointsIn(stretch, metric.name)),
  );
  const shown = all.filter(({ of }) => fits(of, narrowed, words));
  const how = distinct(shown.map(({ of }) => configurationWords(of.configuration))).join("; ");
  return (
    <>
      <Answer series={all} />
      <div class="filters">
        <MetricPicker metric={metric} />
      </div>
      <CaseFilters cases={all.map(({ of }) => of)} words={words} onWords={setWords} />
      {shown.length === 0 ? (
        <p class="blank">{own("none-fits")}</p>
      ) : (
        <>
          <ReleaseChart series={shown} metric={metric} />
          <Steps series={all} />
          <ReleaseTable series={shown} metric={metric} neighbours={neighbours} />
          <p class="quiet">{own("measured", { how: oneLine(how) })}</p>
        </>
      )}
    </>
  );
}
