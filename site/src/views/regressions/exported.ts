/** Events as rows of a file. Pure. */

import { affected_seriesOf } from "../../data/changes";
import type { Event } from "../../data/contract";
import type { Fields } from "../../data/export";

export function fieldsOf(event: Event): Fields {
  const [first] = event.changes ?? [];
  const { before, after, exact } = event.culprit;
  return {
    id: event.id,
    kind: event.kind,
    direction: event.direction,
    state: event.state,
    shared: event.shared,
    metric: first?.metric ?? null,
    ratio: first?.ratio ?? null,
    low_ratio: first?.low_ratio ?? null,
    high_ratio: first?.high_ratio ?? null,
    before: before.sha,
    after: after.sha,
    exact: exact === true ? "yes" : "no",
    time: after.time,
    series: affected_seriesOf(event),
    environment_change: event.environment_change ?? null,
    fixed_by: event.fixed_by ?? null,
    acknowledged: event.acknowledgement?.reason ?? null,
  };
}
