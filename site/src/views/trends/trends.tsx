/** Any number of series over the commits: how each went, where it turned, and what else changed. */

import "./trends.css";
import { useMemo } from "preact/hooks";
import { useApp, useTitle, useWords } from "../../app/context";
import type { CaseRow, ClassRow, Index } from "../../data/contract";
import { metricsOf } from "../../data/reported";
import { newestMonths, pointsIn, runsSince, type Stretch } from "../../data/series";
import { Badges } from "../../parts/badges";
import type { Loaded } from "../../parts/loaded";
import { namesApart } from "../../parts/names";
import { Notice } from "../../parts/notice";
import { oneLine, quantity } from "../../words/format";
import { Adding } from "./adding";
import { titleOf } from "./caption";
import { Chips } from "./chips";
import { Controls } from "./controls";
import { Graphs } from "./graphs";
import { type Scene, type Series, sceneOf } from "./scene";
import { useStretches } from "./use_stretches";
import { chosenSeries, nameOf, readWish, type Wish } from "./wish";
import { trendsWords } from "./words";

export function Trends() {
  const { index, row, query, say, to } = useApp();
  const text = useWords(trendsWords);
  const chosen = chosenSeries(index, row, query);
  const { cases } = chosen;
  const metrics = metricsOf(index, row, cases);
  const wish = readWish(metrics, query);
  const names = namesApart(cases);
  const runCount = wish.from === null ? wish.runs : Math.max(wish.runs, runsSince(row, wish.from));
  const loaded = useStretches(row, cases, runCount);
  const scene = useScene(index, row, cases, names, wish, loaded);
  const title = titleOf(cases, names, wish.metric, say, text);
  useTitle(cases.length > 0 ? title : null);
  const states = cases.map((caseRow) => loaded.get(nameOf(caseRow))?.state ?? "waiting");
  const waiting = states.filter((state) => state === "waiting").length;
  return (
    <>
      <h1>{text("title")}</h1>
      <Adding cases={cases} />
      {chosen.unknown.length > 0 && (
        <p class="mark">
          {text("unknown", { names: oneLine(chosen.unknown.join(", ").slice(0, 200)) })}
        </p>
      )}
      <Chips cases={cases} names={names} />
      <Controls wish={wish} metrics={metrics} cases={cases} names={names} />
      <p class="quiet progress" role="status">
        {waiting > 0 && text("loading", { count: waiting })}
      </p>
      <Troubles loaded={cases.flatMap((caseRow) => loaded.get(nameOf(caseRow)) ?? [])} />
      {scene.slots.runs.length > 0 ? (
        <Graphs scene={scene} wish={wish} title={title} />
      ) : (
        <div class="line-chart blank">{waiting > 0 ? "" : text("none")}</div>
      )}
      <Older runCount={runCount} />
      <Badges
        badges={cases
          .filter(({ reported }) => reported == null)
          .map((caseRow) => ({ name: caseRow.case, to: to("trends", { s: nameOf(caseRow) }) }))}
      />
    </>
  );
}

/** The scene, made anew only when what it is made of has changed. */
function useScene(
  index: Index,
  row: ClassRow,
  cases: readonly CaseRow[],
  names: readonly string[],
  wish: Wish,
  loaded: ReadonlyMap<string, Loaded<Stretch>>,
): Scene {
  const { metric, relative } = wish;
  const ready = cases.flatMap((caseRow, at) => {
    const found = loaded.get(nameOf(caseRow));
    return found?.state === "here" ? [{ case: caseRow, number: at + 1, stretch: found.value }] : [];
  });
  const key = ready.map(({ case: caseRow, number }) => `${number}:${nameOf(caseRow)}`).join(" ");
  return useMemo(() => {
    const series = ready.map(({ case: caseRow, number, stretch }): Series => {
      const points = pointsIn(stretch, metric);
      return { case: caseRow, name: names[number - 1] ?? "", number, points };
    });
    const unit = index.metrics.find(({ name }) => name === metric)?.unit ?? "count";
    return sceneOf(series, wish, { events: index.events ?? [], row, unit });
  }, [loaded, key, metric, relative, row]);
}

/** What could not be loaded, each problem once. */
function Troubles({ loaded }: { readonly loaded: readonly Loaded<Stretch>[] }) {
  const { say } = useApp();
  const text = useWords(trendsWords);
  const failed = loaded.flatMap((result) => (result.state === "failed" ? [result.problem] : []));
  const lost = loaded.flatMap((result) => (result.state === "here" ? result.value.lost : []));
  const [problem] = failed;
  return (
    <>
      {problem !== undefined && <Notice problem={problem} say={say} />}
      {lost[0] !== undefined && (
        <>
          <p class="mark">{text("lost")}</p>
          <Notice problem={lost[0]} say={say} />
        </>
      )}
    </>
  );
}

/** Runs before those that are loaded: a step further back, or all of them. `runCount` is how many runs are asked for now. */
function Older({ runCount }: { readonly runCount: number }) {
  const { row, choose } = useApp();
  const text = useWords(trendsWords);
  const loaded = newestMonths(row, runCount).length;
  const left = row.months.slice(0, row.months.length - loaded);
  if (left.length === 0) return null;
  const all = row.months.reduce((sum, { runs }) => sum + runs, 0);
  const loadedRuns = all - left.reduce((sum, { runs }) => sum + runs, 0);
  // as many again: a long history is read in few steps
  const next = Math.min(all, loadedRuns * 2);
  const show = (runs: number) => choose({ runs, from: undefined });
  return (
    <p class="downloads">
      {next < all && (
        <button type="button" onClick={() => show(next)}>
          {text("older", { count: quantity(next - loadedRuns, "count") })}
        </button>
      )}
      <button type="button" onClick={() => show(all)}>
        {text("older.all", { count: quantity(all, "count") })}
      </button>
    </p>
  );
}
