/** A value of an axis as people say it. */

import type { Axis } from "../data/case_filter";
import { oneLine, quantity } from "../words/format";
import type { Say } from "../words/words";
import { known } from "./marks";
import { serverName } from "./names";

export function axisWords(axis: Axis, value: string, say: Say): string {
  if (axis === "connections") return quantity(Number(value), "count");
  if (axis === "server") return serverName(value);
  return axis === "workload" ? known("workload", value, say) : oneLine(value);
}
