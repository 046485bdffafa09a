/** Points of the charts as rows of a file. Pure. */

import type { Fields } from "../../data/export";
import type { LatestRow } from "../../data/latest";
import { SECONDARY_METRICS } from "./curves";

export function fieldsOf({
  case: caseRow,
  status,
  bottleneck,
  n,
  median,
  interval,
  theoretical_max_rps,
}: LatestRow): Fields {
  return {
    case: caseRow.case,
    configuration: caseRow.configuration,
    connections: caseRow.connections,
    status,
    bottleneck,
    forks: n,
    throughput_rps: median["throughput_rps"] ?? null,
    throughput_rps_low: interval?.low ?? null,
    throughput_rps_high: interval?.high ?? null,
    theoretical_max_rps,
    ...Object.fromEntries(SECONDARY_METRICS.map((name) => [name, median[name] ?? null])),
  };
}
