/**
 * What changed within a week, and lasted: the steps that were found. The difference of two single
 * runs is mostly noise, and is not told. Pure.
 */

import { PAIRS, tellingAffectedSeries } from "../../data/changes";
import type { AffectedSeries, Event } from "../../data/contract";
import type { LatestRow } from "../../data/latest";

const WEEK_MS = 7 * 24 * 3600 * 1000;
const RATE = "throughput_rps";

export interface WeekChange {
  readonly metric: string;
  /** After ÷ before, over all steps of the week. */
  readonly ratio: number;
  /** Whether it was a turn for the worse. */
  readonly bad: boolean;
  /** Whether all of it was confirmed by a comparison. */
  readonly sure: boolean;
}

/** Rejected ones never were; what was fixed is shown with the step that fixed it. */
const SHOWN: ReadonlySet<string> = new Set(["suspected", "confirmed", "acknowledged", "fixed"]);

/** Of the throughput where it changed, else of the first metric that did; null for no step. */
export function weekChange(
  events: readonly Event[],
  { case: caseRow, startedAt }: LatestRow,
  hostClass: string,
): WeekChange | null {
  const since = Date.parse(startedAt) - WEEK_MS;
  const found = events.flatMap((event) => {
    if (!SHOWN.has(event.state) || Date.parse(event.culprit.after.time) < since) return [];
    const caseSeries = event.affected_series.filter(
      (series) =>
        series.case === caseRow.case &&
        series.host_class === hostClass &&
        (series.configuration === caseRow.configuration || series.configuration === PAIRS),
    );
    // an event is one step of a metric, whoever has seen it
    const telling = [...tellingAffectedSeries(caseSeries).values()].flatMap((group) =>
      group.slice(0, 1),
    );
    return telling.map((affected) => ({ affected, sure: event.state !== "suspected" }));
  });
  const metric = found.some(({ affected }) => affected.metric === RATE)
    ? RATE
    : found[0]?.affected.metric;
  const steps = found.filter(({ affected }) => affected.metric === metric && affected.ratio > 0);
  const [first] = steps;
  if (metric === undefined || first === undefined) return null;
  const ratio = steps.reduce((product, { affected }) => product * affected.ratio, 1);
  return { metric, ratio, bad: isBad(first.affected, ratio), sure: steps.every((s) => s.sure) };
}

function isBad({ better }: AffectedSeries, ratio: number): boolean {
  return better === "lower" ? ratio > 1 : ratio < 1;
}
