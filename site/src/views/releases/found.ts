/** The events that some release of these series begins. Pure. */

import type { Event } from "../../data/contract";
import { sameCommit } from "../../data/published";
import type { ReleaseSeries } from "../../data/releases";

// as springbench names the commit of a release; of one that was only compared there is no run
const RELEASE = /^Spring Boot ([0-9]{1,3}(?:\.[0-9]{1,3}){2})$/;

/** An event between two releases. */
export interface Step {
  readonly event: Event;
  readonly before: string;
  readonly after: string;
}

/** The steps of these series, the oldest release first; what was rejected is none. */
export function stepsOf(
  events: readonly Event[],
  series: readonly ReleaseSeries[],
): readonly Step[] {
  const releases = series.flatMap(({ values }) => values);
  const versionOf = ({ sha, message }: Event["culprit"]["after"]) =>
    releases.find((each) => each.sha !== null && sameCommit(each.sha, sha))?.version ??
    RELEASE.exec(message)?.[1];
  const cases = new Set(series.map(({ of }) => of.case));
  const steps = events.flatMap((event) => {
    if (event.state === "rejected") return [];
    if (!event.affected_series.some((each) => cases.has(each.case))) return [];
    const before = versionOf(event.culprit.before);
    const after = versionOf(event.culprit.after);
    return before === undefined || after === undefined ? [] : [{ event, before, after }];
  });
  return steps.toSorted((a, b) => a.after.localeCompare(b.after, "en", { numeric: true }));
}
