/** The metrics that the page knows, as the harness declares them: bench/springbench/results/metrics.py. Pure. */

import { type DeclaredMetric, METRICS } from "../generated/metrics";

export type View = keyof DeclaredMetric["views"];

const BY_NAME: ReadonlyMap<string, DeclaredMetric> = new Map(
  METRICS.map((metric) => [metric.name, metric]),
);

/** A metric by its name; undefined where a newer version has published it. */
export function declared(name: string): DeclaredMetric | undefined {
  return BY_NAME.get(name);
}

/** The metrics of a view, in the order in which a reader asks. */
export function metricsIn(view: View): readonly DeclaredMetric[] {
  const at = ({ views }: DeclaredMetric) => views[view] ?? Number.POSITIVE_INFINITY;
  return METRICS.filter(({ views }) => view in views).toSorted((a, b) => at(a) - at(b));
}
