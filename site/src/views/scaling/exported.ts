/** Points of the charts as rows of a file. Pure. */

import type { Fields } from "../../data/export";
import type { LatestRow } from "../../data/latest";
import { BESIDE } from "./curves";

export function fieldsOf({
  case: of,
  status,
  bottleneck,
  n,
  median,
  interval,
  theoretical_max_rps,
}: LatestRow): Fields {
  return {
    case: of.case,
    configuration: of.configuration,
    connections: of.connections,
    status,
    bottleneck,
    forks: n,
    throughput_rps: median["throughput_rps"] ?? null,
    throughput_rps_low: interval?.low ?? null,
    throughput_rps_high: interval?.high ?? null,
    theoretical_max_rps,
    ...Object.fromEntries(BESIDE.map((name) => [name, median[name] ?? null])),
  };
}
