/** The points that are seen, as rows. Pure. */

import type { Range } from "../../charts/lines";
import { firstFrom } from "../../charts/thinned";
import type { Fields } from "../../data/export";
import type { Point } from "../../data/points";
import type { DrawnSeries, Scene } from "./scene";

export interface Row {
  readonly series: DrawnSeries;
  readonly index: number;
  readonly point: Point;
}

/** How many points are seen, without making rows of them. */
export function countSeen({ series }: Scene, { from, to }: Range): number {
  return series.reduce((sum, { line: { dots } }) => {
    return sum + firstFrom(dots, to, true) - firstFrom(dots, from);
  }, 0);
}

/** Newest first; of one run in the order of the series. */
export function rowsSeen({ series }: Scene, { from, to }: Range): readonly Row[] {
  const rows = series.flatMap((drawnSeries) =>
    drawnSeries.line.dots.flatMap(({ at }, index) => {
      const point = drawnSeries.points[index];
      return point && at >= from && at <= to
        ? [{ at, row: { series: drawnSeries, index, point } }]
        : [];
    }),
  );
  return rows.sort((a, b) => b.at - a.at).map(({ row }) => row);
}

export function exportedPoint(row: Row, metric: string, relative: string | null): Fields {
  const { point, series, index } = row;
  const fields = {
    case: series.case.case,
    configuration: series.case.configuration,
    metric,
    run: point.run,
    started_at: point.startedAt,
    commit: point.sha,
    commit_time: point.time,
    author: point.author,
    message: point.message,
    status: point.status,
    median: point.median,
    low: point.low,
    high: point.high,
    forks: point.n,
    bottleneck: point.bottleneck,
    marks: point.marks.join(" "),
    environment: point.environment,
  };
  if (relative === null) return fields;
  return { ...fields, relative_to: relative, ratio: series.line.dots[index]?.value ?? null };
}
