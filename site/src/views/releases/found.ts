/** The events that some release begins. Pure. */

import type { Event } from "../../data/contract";
import { inOrder, releaseOf } from "../../data/releases";

/** An event between two releases. */
export interface Step {
  readonly event: Event;
  readonly before: string;
  readonly after: string;
}

/** The steps between releases in any of these cases, the oldest first; what was rejected is none. */
export function stepsOf(events: readonly Event[], cases: ReadonlySet<string>): readonly Step[] {
  const steps = events.flatMap((event) => {
    if (event.state === "rejected") return [];
    if (!event.affected_series.some((series) => cases.has(series.case))) return [];
    const before = releaseOf(event.culprit.before);
    const after = releaseOf(event.culprit.after);
    return before === null || after === null ? [] : [{ event, before, after }];
  });
  return steps.toSorted((a, b) => inOrder(a.after, b.after));
}
