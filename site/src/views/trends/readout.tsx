/** One point in words: what was measured of which commit, how sure that is, and what to do next. */

import { useApp, useWords } from "../../app/context";
import { configurationWords } from "../../data/cases";
import type { CaseRow } from "../../data/contract";
import { runAddress } from "../../data/links";
import { LOST, type Point } from "../../data/points";
import { Commit } from "../../parts/commit";
import { bottleneckWords, known, markWords } from "../../parts/marks";
import { loadName, variantName } from "../../parts/names";
import { date, interval, moment, oneLine, quantity, shortSha, subject } from "../../words/format";
import { Sample } from "./chips";
import { Shape } from "./key";
import type { DrawnSeries, PointAt, Scene } from "./scene";
import { valueWords } from "./value_words";
import { trendsWords } from "./words";

export function Readout({ at, scene }: { readonly at: PointAt; readonly scene: Scene }) {
  const { say } = useApp();
  const own = useWords(trendsWords);
  const { point, series } = at;
  const { of } = series;
  const load = of.reported
    ? loadName(of)
    : `${known("workload", of.workload, say)}, ${quantity(of.connections, "count")}, ${oneLine(of.boot)}`;
  return (
    <section class="readout" aria-label={own("point.title")}>
      <p>
        <Sample number={series.number} /> <strong>{variantName(of)}</strong>{" "}
        <span class="quiet">
          {load}, {oneLine(configurationWords(of.configuration))}
        </span>
      </p>
      <p>
        <span class="value">{valueWords(at, scene, say, own)}</span>{" "}
        <span class="quiet">
          <Spread of={of} point={point} unit={scene.unit} />
        </span>
      </p>
      {of.reported && (
        <p class="quiet">{own("point.reported", { harness: oneLine(of.reported.harness) })}</p>
      )}
      <CommitLine point={point} />
      <Facts at={at} scene={scene} />
      <Events at={at} />
      <Links at={at} series={series} />
    </section>
  );
}

interface SpreadProps {
  readonly of: CaseRow;
  readonly point: Point;
  readonly unit: string;
}

function Spread({ of, point, unit }: SpreadProps) {
  const { say } = useApp();
  const own = useWords(trendsWords);
  const { median, low, high, n } = point;
  if (median === null) return null;
  const whose = of.reported ? ".reported" : "";
  if (n < 2 || low === null || high === null) return <>{own(`point.one-fork${whose}`)}</>;
  const edges = interval(low, high, unit, say);
  return <>{own(`point.interval${whose}`, { interval: edges, forks: n })}</>;
}

function CommitLine({ point }: { readonly point: Point }) {
  const own = useWords(trendsWords);
  if (point.status === LOST) return <p>{own("point.lost")}</p>;
  if (point.sha === null) return <p>{own("point.outside")}</p>;
  return (
    <p>
      <Commit sha={point.sha} /> {oneLine(subject(point.message))}{" "}
      <span class="quiet">
        {oneLine(point.author)}, {date(point.time)}
      </span>
    </p>
  );
}

function Facts({ at, scene }: { readonly at: PointAt; readonly scene: Scene }) {
  const { say } = useApp();
  const own = useWords(trendsWords);
  const { point, dot } = at;
  const environmentChange = scene.environmentChanges
    .filter((each) => each.at === dot.at)
    .map(({ words }) => words);
  const facts = [
    own("point.measured", { moment: moment(point.startedAt) }),
    point.bottleneck &&
      own("point.bottleneck", { bottleneck: bottleneckWords(point.bottleneck, say) }),
    ...Object.entries(point.boots).map(([line, version]) => `${line} ${version}`),
    point.branch && own("point.branch", { branch: point.branch }),
  ];
  if (point.status === LOST) return null;
  return (
    <>
      <p class="quiet">{oneLine(facts.filter(Boolean).join(", "))}</p>
      {point.environment && (
        <p class="quiet environment">
          {own("point.host")}: {oneLine(point.environment)}
        </p>
      )}
      {environmentChange.length > 0 && (
        <p class="mark">
          {own("point.environment_change", { words: environmentChange.join("; ") })}
        </p>
      )}
      {point.marks.length > 0 && (
        <p class="mark">{own("point.care", { marks: markWords(point.marks, say) })}</p>
      )}
    </>
  );
}

/** What is known to have happened at this point. */
function Events({ at }: { readonly at: PointAt }) {
  const { say, to } = useApp();
  const own = useWords(trendsWords);
  const here = at.series.events.filter(({ index }) => index === at.index);
  return (
    <>
      {here.map(({ event, shape, bad }) => {
        const state = known("state", event.state, say);
        const values = { state, shared: oneLine(event.shared) };
        return (
          <p key={event.id} class={bad ? "event bad" : "event"}>
            <svg width="16" height="16" aria-hidden="true">
              <Shape shape={shape} />
            </svg>{" "}
            <a href={to("regressions", { event: event.id })}>
              {own(bad ? "event.regression" : "event.improvement", values)}
            </a>
            {event.culprit.exact === false && (
              <span class="quiet">
                {" "}
                {own("event.between", { sha: shortSha(event.culprit.before.sha) })}
              </span>
            )}
          </p>
        );
      })}
    </>
  );
}

function Links({ at, series }: { readonly at: PointAt; readonly series: DrawnSeries }) {
  const { to, repository } = useApp();
  const own = useWords(trendsWords);
  const { point, before } = at;
  if (point.status === LOST) return null;
  const { sha } = point;
  const last = series.points.findLast((each) => each.sha !== null);
  const newest = last?.sha ?? null;
  // of a commit several harnesses may have runs
  const nameOf = (of: Point) => (series.of.reported ? of.run : of.sha);
  const job = runAddress(repository, point.url);
  return (
    <p class="links">
      {sha !== null && before?.sha && (
        <a href={to("compare", { base: nameOf(before) ?? "", head: nameOf(point) ?? "" })}>
          {own("compare.previous", { sha: oneLine(shortSha(before.sha)) })}
        </a>
      )}
      {sha !== null && newest !== null && newest !== sha && (
        <a href={to("compare", { base: nameOf(point) ?? "", head: nameOf(last ?? point) ?? "" })}>
          {own("compare.newest")}
        </a>
      )}
      {sha !== null && (
        <a href={to("compare", { head: nameOf(point) ?? "" })}>{own("compare.other")}</a>
      )}
      <a href={to("run", { id: point.run })}>{own("point.run")}</a>
      {job && (
        <a href={job} rel="noreferrer">
          {own("point.job")}
        </a>
      )}
    </p>
  );
}
