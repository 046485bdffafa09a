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
  const text = useWords(releaseWords);
  const loaded = useLoaded(row.class, () => readCompared(index, row));
  return (
    <>
      <h1>{text("title")}</h1>
      <p class="lead">{text("lead")}</p>
      {loaded.state === "waiting" && <p class="waiting">{say("page.loading")}</p>}
      {loaded.state === "here" && <ReleaseSections compared={loaded.value} />}
    </>
  );
}

/** Levels of runs are shown all the same where comparisons cannot be read. */
async function readCompared(index: Index, row: ClassRow): Promise<Compared> {
  try {
    const all = await loadReleaseComparisons(index);
    const comparisons = all.filter(({ host }) => host.class === row.class);
    const lists = comparisons.map(({ java_options = [] }) => java_options);
    const options = new Map(lists.map((list) => [list.join(" "), list]));
    options.delete("");
    return { chains: chainsOf(comparisons), options: [...options.values()], problem: null };
  } catch (problem) {
    return { chains: [], options: [], problem };
  }
}

function ReleaseSections({ compared }: { readonly compared: Compared }) {
  const { index, row, say, query } = useApp();
  const text = useWords(releaseWords);
  const { chains, problem } = compared;
  // a history of commits has measured the same cases in another way, and later
  const rows = latestRows(index, row, undefined, isOverReleases).map((latestRow) => latestRow.case);
  const subjects = subjectsOf(rows, chains);
  const loads = loadsOf(subjects);
  const load = settleLoad(loads, query.get("workload"));
  const count = load && settleCount(load, query.get("connections"));
  return (
    <>
      {problem !== null && <Notice problem={problem} say={say} />}
      {load && count ? (
        <>
          {problem === null && <Answer chains={chains} />}
          <LoadPicker loads={loads} load={load} connections={count.connections} />
          <LoadSection
            key={`${load.workload} ${count.connections}`}
            subjects={count.rows}
            compared={compared}
            cases={new Set(subjects.map((subject) => subject.case.case))}
          />
        </>
      ) : (
        <p class="blank">
          {text("nothing")} {text("nothing.remedy")}
        </p>
      )}
    </>
  );
}

function subjectsOf(rows: readonly CaseRow[], chains: readonly Chain[]): readonly Subject[] {
  const chainOf = new Map(chains.map((chain) => [chain.case.case, chain]));
  const ids = new Set(rows.map((caseRow) => caseRow.case));
  return [
    ...rows.map((caseRow) => ({
      case: caseRow,
      chain: chainOf.get(caseRow.case) ?? null,
      runs: true,
    })),
    ...chains
      // of one that only has failures there is nothing to draw
      .filter(
        ({ case: measuredCase, links }) =>
          !ids.has(measuredCase.case) && links.some(({ findings }) => findings.size > 0),
      )
      .map((chain) => ({ case: chain.case, chain, runs: false })),
  ];
}

interface LoadSectionProps {
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

function LoadSection({ subjects, compared, cases }: LoadSectionProps) {
  const { row, say } = useApp();
  const key = `${row.class} ${subjects.map((subject) => subject.case.case).join(" ")}`;
  const loaded = useLoaded(key, () => read(subjects));
  if (loaded.state === "waiting") return <p class="waiting">{say("page.loading")}</p>;
  if (loaded.state === "failed") return <Notice problem={loaded.problem} say={say} />;
  const { parts, problem } = loaded.value;
  return (
    <>
      {problem !== null && <Notice problem={problem} say={say} />}
      {parts.length > 0 && <ReleaseCharts parts={parts} compared={compared} cases={cases} />}
    </>
  );

  /** Each by itself: a series that is broken does not affect the others. */
  async function read(all: readonly Subject[]): Promise<Read> {
    const settled = await Promise.allSettled(
      all.map(async (subject) => ({
        ...subject,
        stretch: subject.runs ? await loadStretch(row, subject.case, MOST_RUNS) : null,
      })),
    );
    const parts = settled.flatMap((result) =>
      result.status === "fulfilled" ? [result.value] : [],
    );
    const failed = settled.find((result) => result.status === "rejected")?.reason;
    const lost = parts.flatMap(({ stretch }) => stretch?.lost ?? []);
    return { parts, problem: failed ?? lost[0] ?? null };
  }
}

interface ReleaseChartsProps extends Omit<LoadSectionProps, "subjects"> {
  readonly parts: readonly Part[];
}

function ReleaseCharts({ parts, compared, cases }: ReleaseChartsProps) {
  const { index, query } = useApp();
  const text = useWords(releaseWords);
  const [words, setWords] = useTyped();
  const chains = parts.flatMap(({ chain }) => chain ?? []);
  const runs = parts.some((part) => part.runs);
  const metrics = index.metrics.filter(
    ({ name }) => runs || chains.some((chain) => hasMetric(chain, name)),
  );
  const metric = settleMetric(metrics, query.get("metric"));
  const narrowed = new URLSearchParams(query);
  // the load is chosen above
  for (const axis of ["workload", "connections"]) narrowed.delete(axis);
  const shown = parts.filter((part) => fits(part.case, narrowed, words));
  const names = namesApart(shown.map((part) => part.case));
  const since = query.get(SINCE);
  const ids = shown.map((part) => part.case.case).join(" ");
  const lines = useMemo(() => {
    const named = shown.flatMap(({ chain }, at) => (chain ? { chain, name: names[at] ?? "" } : []));
    return linesOf(named, metric.name, since);
  }, [ids, metric.name, since]);
  const columns = shown.map(({ case: caseRow, chain, stretch }, at) => ({
    name: names[at] ?? "",
    line: lines.find((line) => line.chain === chain) ?? null,
    values: stretch ? byRelease(caseRow, pointsIn(stretch, metric.name)).values : [],
  }));
  const how = distinct(
    shown.flatMap((part) => (part.runs ? configurationWords(part.case.configuration) : [])),
  ).join("; ");
  return (
    <>
      <div class="filters">
        <MetricPicker metrics={metrics} metric={metric} />
        {chains.length > 0 && <BasePicker chains={chains} />}
      </div>
      <CaseFilters cases={parts.map((part) => part.case)} words={words} onWords={setWords} />
      {shown.length === 0 ? (
        <p class="blank">{text("none-fits")}</p>
      ) : (
        <>
          {lines.length > 0 ? (
            <ReleaseChart lines={lines} metric={metric} />
          ) : (
            <p class="blank">{text("chart.none")}</p>
          )}
          <Steps cases={cases} />
          <ReleaseTable columns={columns} metric={metric} options={compared.options} />
          {how !== "" && <p class="quiet">{text("measured", { how: oneLine(how) })}</p>}
        </>
      )}
    </>
  );
}
