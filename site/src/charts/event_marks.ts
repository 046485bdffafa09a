/** Where in a series the events lie that affect it. Pure. */

import type { CaseRow, Event } from "../data/contract";
import { sameCommit } from "../data/published";
import type { MarkShape } from "./mark_shapes";

export interface EventAt {
  readonly event: Event;
  /** Which point of the series is the first on the new level. */
  readonly index: number;
  readonly shape: MarkShape;
  readonly bad: boolean;
}

/** A rejected event has no mark: there was nothing. */
const SHAPES: Readonly<Record<string, MarkShape>> = {
  suspected: "suspected",
  confirmed: "confirmed",
  unmeasured: "suspected",
  acknowledged: "acknowledged",
  fixed: "fixed",
};

export function eventsOf(
  events: readonly Event[],
  caseRow: CaseRow,
  metric: string,
  hostClass: string,
  points: readonly { readonly sha: string | null }[],
): readonly EventAt[] {
  return events.flatMap((event) => {
    const shape = Object.hasOwn(SHAPES, event.state) ? SHAPES[event.state] : undefined;
    if (shape === undefined || !isAffected(event, caseRow, metric, hostClass)) return [];
    const { sha } = event.culprit.after;
    const index = points.findIndex((point) => point.sha !== null && sameCommit(point.sha, sha));
    return index < 0 ? [] : [{ event, index, shape, bad: event.direction === "regression" }];
  });
}

function isAffected(
  { affected_series }: Event,
  caseRow: CaseRow,
  metric: string,
  hostClass: string,
): boolean {
  return affected_series.some(
    (series) =>
      series.case === caseRow.case &&
      series.metric === metric &&
      series.host_class === hostClass &&
      // what only a comparison has seen belongs to every way of measuring the case
      (series.configuration === caseRow.configuration || series.configuration === "compare"),
  );
}
