/** Points of the charts as rows of a file. Pure. */

import type { Fields } from "../../data/export";
import type { LatestRow } from "../../data/latest";

export function fieldsOf({
  case: of,
  status,
  bound,
  n,
  median,
  interval,
  ideal_rps,
}: LatestRow): Fields {
  return {
    case: of.case,
    conditions: of.conditions,
    connections: of.connections,
    status,
    bound,
    forks: n,
    throughput_rps: median["throughput_rps"] ?? null,
    throughput_rps_low: interval?.low ?? null,
    throughput_rps_high: interval?.high ?? null,
    ideal_rps,
    latency_p99_s: median["latency_p99_s"] ?? null,
    memory_peak_bytes: median["memory_peak_bytes"] ?? null,
  };
}
