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
  const text = useWords(trendsWords);
  const { point, series } = at;
  const { case: caseRow } = series;
  const load = caseRow.reported
    ? loadName(caseRow)
    : `${known("workload", caseRow.workload, say)}, ${quantity(caseRow.connections, "count")}, ${oneLine(caseRow.boot)}`;
  return (
    <section class="readout" aria-label={text("point.title")}>
      <p>
        <Sample number={series.number} /> <strong>{variantName(caseRow)}</strong>{" "}
        <span class="quiet">
          {load}, {oneLine(configurationWords(caseRow.configuration))}
        </span>
      </p>
      <p>
        <span class="value">{valueWords(at, scene, say, text)}</span>{" "}
        <span class="quiet">
          <Spread case={caseRow} point={point} unit={scene.unit} />
        </span>
      </p>
      {caseRow.reported && (
        <p class="quiet">
          {text("point.reported", { harness: oneLine(caseRow.reported.harness) })}
        </p>
      )}
      <CommitLine point={point} />
      <Facts at={at} scene={scene} />
      <Events at={at} />
      <Links at={at} series={series} />
    </section>
  );
}

interface SpreadProps {
  readonly case: CaseRow;
  readonly point: Point;
  readonly unit: string;
}

function Spread({ case: caseRow, point, unit }: SpreadProps) {
  const { say } = useApp();
  const text = useWords(trendsWords);
  const { median, low, high, n } = point;
  if (median === null) return null;
  const whose = caseRow.reported ? ".reported" : "";
  if (n < 2 || low === null || high === null) return <>{text(`point.one-fork${whose}`)}</>;
  const edges = interval(low, high, unit, say);
  return <>{text(`point.interval${whose}`, { interval: edges, forks: n })}</>;
}

function CommitLine({ point }: { readonly point: Point }) {
  const text = useWords(trendsWords);
  if (point.status === LOST) return <p>{text("point.lost")}</p>;
  if (point.sha === null) return <p>{text("point.outside")}</p>;
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
  const text = useWords(trendsWords);
  const { point, dot } = at;
  const environmentChange = scene.environmentChanges
    .filter((change) => change.at === dot.at)
    .map(({ words }) => words);
  const facts = [
    text("point.measured", { moment: moment(point.startedAt) }),
    point.bottleneck &&
      text("point.bottleneck", { bottleneck: bottleneckWords(point.bottleneck, say) }),
    ...Object.entries(point.boots).map(([line, version]) => `${line} ${version}`),
    point.branch && text("point.branch", { branch: point.branch }),
  ];
  if (point.status === LOST) return null;
  return (
    <>
      <p class="quiet">{oneLine(facts.filter(Boolean).join(", "))}</p>
      {point.environment && (
        <p class="quiet environment">
          {text("point.host")}: {oneLine(point.environment)}
        </p>
      )}
      {environmentChange.length > 0 && (
        <p class="mark">
          {text("point.environment_change", { words: environmentChange.join("; ") })}
        </p>
      )}
      {point.marks.length > 0 && (
        <p class="mark">{text("point.care", { marks: markWords(point.marks, say) })}</p>
      )}
    </>
  );
}

/** What is known to have happened at this point. */
function Events({ at }: { readonly at: PointAt }) {
  const { say, to } = useApp();
  const text = useWords(trendsWords);
  const events = at.series.events.filter(({ index }) => index === at.index);
  return (
    <>
      {events.map(({ event, shape, bad }) => {
        const state = known("state", event.state, say);
        const values = { state, shared: oneLine(event.shared) };
        return (
          <p key={event.id} class={bad ? "event bad" : "event"}>
            <svg width="16" height="16" aria-hidden="true">
              <Shape shape={shape} />
            </svg>{" "}
            <a href={to("regressions", { event: event.id })}>
              {text(bad ? "event.regression" : "event.improvement", values)}
            </a>
            {event.culprit.exact === false && (
              <span class="quiet">
                {" "}
                {text("event.between", { sha: shortSha(event.culprit.before.sha) })}
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
  const text = useWords(trendsWords);
  const { point, before } = at;
  if (point.status === LOST) return null;
  const { sha } = point;
  const last = series.points.findLast((candidate) => candidate.sha !== null);
  const newest = last?.sha ?? null;
  // of a commit several harnesses may have runs
  const nameOf = (target: Point) => (series.case.reported ? target.run : target.sha);
  const job = runAddress(repository, point.url);
  return (
    <p class="links">
      {sha !== null && before?.sha && (
        <a href={to("compare", { base: nameOf(before) ?? "", head: nameOf(point) ?? "" })}>
          {text("compare.previous", { sha: oneLine(shortSha(before.sha)) })}
        </a>
      )}
      {sha !== null && newest !== null && newest !== sha && (
        <a href={to("compare", { base: nameOf(point) ?? "", head: nameOf(last ?? point) ?? "" })}>
          {text("compare.newest")}
        </a>
      )}
      {sha !== null && (
        <a href={to("compare", { head: nameOf(point) ?? "" })}>{text("compare.other")}</a>
      )}
      <a href={to("run", { id: point.run })}>{text("point.run")}</a>
      {job && (
        <a href={job} rel="noreferrer">
          {text("point.job")}
        </a>
      )}
    </p>
  );
}
