/** Any number of series over the commits: how each went, where it turned, and what else changed. */

import "./trends.css";
import { useMemo } from "preact/hooks";
import { useApp, useTitle, useWords } from "../../app/context";
import type { CaseRow, ClassRow, Index } from "../../data/contract";
import { metricsOf } from "../../data/reported";
import { pointsIn, runsSince, type Stretch } from "../../data/series";
import { Badges } from "../../parts/badges";
import type { Loaded } from "../../parts/loaded";
import { namesApart } from "../../parts/names";
import { Notice } from "../../parts/notice";
import { oneLine } from "../../words/format";
import { Adding } from "./adding";
import { titleOf } from "./caption";
import { Chips } from "./chips";
import { Controls } from "./controls";
import { Graphs } from "./graphs";
import { Older } from "./older";
import { type Scene, type Series, sceneOf } from "./scene";
import { useStretches } from "./use_stretches";
import { chosenSeries, nameOf, readWish, type Wish } from "./wish";
import { trendsWords } from "./words";

export function Trends() {
  const { index, row, asked, say, to } = useApp();
  const own = useWords(trendsWords);
  const chosen = chosenSeries(index, row, asked);
  const { cases } = chosen;
  const metrics = metricsOf(index, row, cases);
  const wish = readWish(metrics, asked);
  const names = namesApart(cases);
  const wanted = wish.from === null ? wish.runs : Math.max(wish.runs, runsSince(row, wish.from));
  const loaded = useStretches(row, cases, wanted);
  const scene = useScene(index, row, cases, names, wish, loaded);
  const title = titleOf(cases, names, wish.metric, say, own);
  useTitle(cases.length > 0 ? title : null);
  const states = cases.map((of) => loaded.get(nameOf(of))?.state ?? "waiting");
  const waiting = states.filter((state) => state === "waiting").length;
  return (
    <>
      <h1>{own("title")}</h1>
      <Adding cases={cases} />
      {chosen.unknown.length > 0 && (
        <p class="mark">
          {own("unknown", { names: oneLine(chosen.unknown.join(", ").slice(0, 200)) })}
        </p>
      )}
      <Chips cases={cases} names={names} />
      <Controls wish={wish} metrics={metrics} cases={cases} names={names} />
      <p class="quiet progress" role="status">
        {waiting > 0 && own("loading", { count: waiting })}
      </p>
      <Troubles loaded={cases.flatMap((of) => loaded.get(nameOf(of)) ?? [])} />
      {scene.slots.runs.length > 0 ? (
        <Graphs scene={scene} wish={wish} title={title} />
      ) : (
        <div class="line-chart blank">{waiting > 0 ? "" : own("none")}</div>
      )}
      <Older wanted={wanted} />
      <Badges
        badges={cases
          .filter(({ reported }) => reported == null)
          .map((of) => ({ of: of.case, to: to("trends", { s: nameOf(of) }) }))}
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
  const ready = cases.flatMap((of, at) => {
    const found = loaded.get(nameOf(of));
    return found?.state === "here" ? [{ of, number: at + 1, stretch: found.value }] : [];
  });
  const key = ready.map(({ of, number }) => `${number}:${nameOf(of)}`).join(" ");
  return useMemo(() => {
    const series = ready.map(({ of, number, stretch }): Series => {
      const points = pointsIn(stretch, metric);
      return { of, name: names[number - 1] ?? "", number, points };
    });
    const unit = index.metrics.find(({ name }) => name === metric)?.unit ?? "count";
    return sceneOf(series, wish, { events: index.events ?? [], row, unit });
  }, [loaded, key, metric, relative, row]);
}

/** What could not be loaded, each problem once. */
function Troubles({ loaded }: { readonly loaded: readonly Loaded<Stretch>[] }) {
  const { say } = useApp();
  const own = useWords(trendsWords);
  const failed = loaded.flatMap((each) => (each.state === "failed" ? [each.problem] : []));
  const lost = loaded.flatMap((each) => (each.state === "here" ? each.value.lost : []));
  const [problem] = failed;
  return (
    <>
      {problem !== undefined && <Notice problem={problem} say={say} />}
      {lost[0] !== undefined && (
        <>
          <p class="mark">{own("lost")}</p>
          <Notice problem={lost[0]} say={say} />
        </>
      )}
    </>
  );
}
