/** Which metric is shown. */

import { useApp, useWords } from "../../app/context";
import type { Index, MetricRow } from "../../data/contract";
import { metricName } from "../../words/format";
import { releaseWords } from "./words";

/** What changes with a framework shows there first, and a busy host hides it least. */
const FIRST = "cpu_per_request_s";
const NONE: MetricRow = { name: FIRST, unit: "s", better: "lower" };

export function settleMetric(metrics: Index["metrics"], requestedName: string | null): MetricRow {
  const named = metrics.find(({ name }) => name === requestedName);
  return named ?? metrics.find(({ name }) => name === FIRST) ?? metrics[0] ?? NONE;
}

interface Props {
  readonly metrics: Index["metrics"];
  readonly metric: MetricRow;
}

export function MetricPicker({ metrics, metric }: Props) {
  const { say, choose } = useApp();
  const text = useWords(releaseWords);
  return (
    <label>
      {text("metric")}
      <select
        value={metric.name}
        onChange={({ currentTarget: { value } }) => choose({ metric: value })}
      >
        {metrics.map(({ name }) => (
          <option key={name} value={name}>
            {metricName(name, say)}
          </option>
        ))}
      </select>
    </label>
  );
}
