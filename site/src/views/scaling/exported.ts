/** Points of the charts as rows of a file. Pure. */

import type { Fields } from "../../data/export";
import type { LatestRow } from "../../data/latest";
import { BESIDE } from "./curves";

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
    ...Object.fromEntries(BESIDE.map((name) => [name, median[name] ?? null])),
  };
}
