/** The events that some release begins. Pure. */

import type { Event } from "../../data/contract";
import { inOrder, releaseOf } from "../../data/releases";

/** An event between two releases. */
export interface Step {
  readonly event: Event;
  readonly before: string;
  readonly after: string;
}

/**
 * The steps between releases in any of these cases on hosts of a class, the oldest first; what was
 * rejected is none.
 */
export function stepsOf(
  events: readonly Event[],
  cases: ReadonlySet<string>,
  hostClass: string,
): readonly Step[] {
  const isHere = (series: Event["affected_series"][number]) =>
    series.host_class === hostClass && cases.has(series.case);
  const steps = events.flatMap((event) => {
    if (event.state === "rejected") return [];
    if (!event.affected_series.some(isHere)) return [];
    const before = releaseOf(event.culprit.before);
    const after = releaseOf(event.culprit.after);
    return before === null || after === null ? [] : [{ event, before, after }];
  });
  return steps.toSorted((a, b) => inOrder(a.after, b.after));
}
