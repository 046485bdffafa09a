/** What each release of Spring Boot changed, and under which load. */

import "./releases.css";
import { useMemo } from "preact/hooks";
import { useApp, useWords } from "../../app/context";
import { fits } from "../../data/case_filter";
import { configurationWords, distinct } from "../../data/cases";
import { type Chain, chainsOf } from "../../data/chain";
import type { CaseRow, ClassRow, Index } from "../../data/contract";
import { latestRows } from "../../data/latest";
import { loadsOf, settleCount, settleLoad } from "../../data/loads";
import { loadReleaseComparisons } from "../../data/published";
import { byRelease, isOverReleases } from "../../data/releases";
import { loadStretch, pointsIn, type Stretch } from "../../data/series";
import { CaseFilters, useTyped } from "../../parts/case_filters";
import { LoadPicker } from "../../parts/load_picker";
import { useLoaded } from "../../parts/loaded";
import { namesApart } from "../../parts/names";
import { Notice } from "../../parts/notice";
import { oneLine } from "../../words/format";
import { Answer } from "./answer";
import { BasePicker, SINCE } from "./base";
import { ReleaseChart } from "./chart";
import { hasMetric, linesOf } from "./lines";
import { MetricPicker, settleMetric } from "./metric";
import { Steps } from "./steps";
import { ReleaseTable } from "./table";
import { releaseWords } from "./words";

/** So many runs are asked for at most: more than all releases that there will be. */
const MOST_RUNS = 2000;

/** A variant under a load, over releases: compared, run, or both. */
interface Subject {
  readonly case: CaseRow;
  readonly chain: Chain | null;
  /** Whether the history has runs of it. */
  readonly runs: boolean;
}

interface Compared {
  readonly chains: readonly Chain[];
  /** Options that JVMs ran with in these comparisons, each list once. */
  readonly options: readonly (readonly string[])[];
  readonly problem: unknown;
}

export function Releases() {
  const { index, row, say } = useApp();
  const own = useWords(releaseWords);
  const loaded = useLoaded(row.class, () => readCompared(index, row));
  return (
    <>
      <h1>{own("title")}</h1>
      <p class="lead">{own("lead")}</p>
      {loaded.state === "waiting" && <p class="waiting">{say("page.loading")}</p>}
      {loaded.state === "here" && <OverReleases compared={loaded.value} />}
    </>
  );
}

/** Levels of runs are shown all the same where comparisons cannot be read. */
async function readCompared(index: Index, row: ClassRow): Promise<Compared> {
  try {
    const all = await loadReleaseComparisons(index);
    const own = all.filter(({ host }) => host.class === row.class);
    const lists = own.map(({ java_options = [] }) => java_options);
    const options = new Map(lists.map((list) => [list.join(" "), list]));
    options.delete("");
    return { chains: chainsOf(own), options: [...options.values()], problem: null };
  } catch (problem) {
    return { chains: [], options: [], problem };
  }
}

function OverReleases({ compared }: { readonly compared: Compared }) {
  const { index, row, say, asked } = useApp();
  const own = useWords(releaseWords);
  const { chains, problem } = compared;
  // a history of commits has measured the same cases in another way, and later
  const rows = latestRows(index, row, undefined, isOverReleases).map((each) => each.case);
  const subjects = subjectsOf(rows, chains);
  const loads = loadsOf(subjects);
  const load = settleLoad(loads, asked.get("workload"));
  const count = load && settleCount(load, asked.get("connections"));
  return (
    <>
      {problem !== null && <Notice problem={problem} say={say} />}
      {load && count ? (
        <>
          {problem === null && <Answer chains={chains} />}
          <LoadPicker loads={loads} load={load} connections={count.connections} />
          <OfLoad
            key={`${load.workload} ${count.connections}`}
            subjects={count.rows}
            compared={compared}
            cases={new Set(subjects.map((each) => each.case.case))}
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

function subjectsOf(rows: readonly CaseRow[], chains: readonly Chain[]): readonly Subject[] {
  const chainOf = new Map(chains.map((chain) => [chain.of.case, chain]));
  const ids = new Set(rows.map((each) => each.case));
  return [
    ...rows.map((of) => ({ case: of, chain: chainOf.get(of.case) ?? null, runs: true })),
    ...chains
      // of one that only has failures there is nothing to draw
      .filter(
        ({ of, links }) => !ids.has(of.case) && links.some(({ findings }) => findings.size > 0),
      )
      .map((chain) => ({ case: chain.of, chain, runs: false })),
  ];
}

interface OfLoadProps {
  readonly subjects: readonly Subject[];
  readonly compared: Compared;
  /** Those of all loads. */
  readonly cases: ReadonlySet<string>;
}

/** A subject with its runs; null where it has none. */
interface Part extends Subject {
  readonly stretch: Stretch | null;
}

interface Read {
  readonly parts: readonly Part[];
  readonly problem: unknown;
}

function OfLoad({ subjects, compared, cases }: OfLoadProps) {
  const { row, say } = useApp();
  const key = `${row.class} ${subjects.map((each) => each.case.case).join(" ")}`;
  const loaded = useLoaded(key, () => read(subjects));
  if (loaded.state === "waiting") return <p class="waiting">{say("page.loading")}</p>;
  if (loaded.state === "failed") return <Notice problem={loaded.problem} say={say} />;
  const { parts, problem } = loaded.value;
  return (
    <>
      {problem !== null && <Notice problem={problem} say={say} />}
      {parts.length > 0 && <Drawn parts={parts} compared={compared} cases={cases} />}
    </>
  );

  /** Each by itself: a series that is broken does not affect the others. */
  async function read(all: readonly Subject[]): Promise<Read> {
    const settled = await Promise.allSettled(
      all.map(async (each) => ({
        ...each,
        stretch: each.runs ? await loadStretch(row, each.case, MOST_RUNS) : null,
      })),
    );
    const parts = settled.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
    const failed = settled.find((each) => each.status === "rejected")?.reason;
    const lost = parts.flatMap(({ stretch }) => stretch?.lost ?? []);
    return { parts, problem: failed ?? lost[0] ?? null };
  }
}

interface DrawnProps extends Omit<OfLoadProps, "subjects"> {
  readonly parts: readonly Part[];
}

function Drawn({ parts, compared, cases }: DrawnProps) {
  const { index, asked } = useApp();
  const own = useWords(releaseWords);
  const [words, setWords] = useTyped();
  const chains = parts.flatMap(({ chain }) => chain ?? []);
  const runs = parts.some((each) => each.runs);
  const metrics = index.metrics.filter(
    ({ name }) => runs || chains.some((chain) => hasMetric(chain, name)),
  );
  const metric = settleMetric(metrics, asked.get("metric"));
  const narrowed = new URLSearchParams(asked);
  // the load is chosen above
  for (const axis of ["workload", "connections"]) narrowed.delete(axis);
  const shown = parts.filter((each) => fits(each.case, narrowed, words));
  const names = namesApart(shown.map((each) => each.case));
  const since = asked.get(SINCE);
  const ids = shown.map((each) => each.case.case).join(" ");
  const lines = useMemo(() => {
    const named = shown.flatMap(({ chain }, at) => (chain ? { chain, name: names[at] ?? "" } : []));
    return linesOf(named, metric.name, since);
  }, [ids, metric.name, since]);
  const columns = shown.map(({ case: of, chain, stretch }, at) => ({
    name: names[at] ?? "",
    line: lines.find((line) => line.chain === chain) ?? null,
    values: stretch ? byRelease(of, pointsIn(stretch, metric.name)).values : [],
  }));
  const how = distinct(
    shown.flatMap((each) => (each.runs ? configurationWords(each.case.configuration) : [])),
  ).join("; ");
  return (
    <>
      <div class="filters">
        <MetricPicker metrics={metrics} metric={metric} />
        {chains.length > 0 && <BasePicker chains={chains} />}
      </div>
      <CaseFilters cases={parts.map((each) => each.case)} words={words} onWords={setWords} />
      {shown.length === 0 ? (
        <p class="blank">{own("none-fits")}</p>
      ) : (
        <>
          {lines.length > 0 ? (
            <ReleaseChart lines={lines} metric={metric} />
          ) : (
            <p class="blank">{own("chart.none")}</p>
          )}
          <Steps cases={cases} />
          <ReleaseTable columns={columns} metric={metric} options={compared.options} />
          {how !== "" && <p class="quiet">{own("measured", { how: oneLine(how) })}</p>}
        </>
      )}
    </>
  );
}
