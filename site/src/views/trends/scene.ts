/** Everything that the charts show, from points and wishes. Pure. */

import { type EventAt, eventsOf } from "../../charts/event_marks";
import type { Dot, EnvironmentChange, Line, LinesPicture, Mark } from "../../charts/lines";
import type { CaseRow, ClassRow, Event } from "../../data/contract";
import { LOST, type Point } from "../../data/points";
import { change, date, quantity } from "../../words/format";
import { environmentChangesOf } from "./environment_changes";
import { absolute, type Shown, toFirst, toSeries } from "./relative";
import { type Slots, slotsOf } from "./slots";
import { nameOf, type Wish } from "./wish";

/** A chosen series and its points. */
export interface Series {
  readonly case: CaseRow;
  readonly name: string;
  readonly number: number;
  readonly points: readonly Point[];
}

export interface DrawnSeries extends Series {
  readonly id: string;
  readonly line: Line;
  readonly events: readonly EventAt[];
}

export interface Scene {
  readonly slots: Slots;
  readonly series: readonly DrawnSeries[];
  readonly marks: readonly Mark[];
  readonly environmentChanges: readonly EnvironmentChange[];
  readonly unit: string;
  /** Whether what is drawn are multiples of other values. */
  readonly ratios: boolean;
  readonly write: (value: number) => string;
}

/** What the published data say beside the points. */
export interface SceneData {
  readonly events: readonly Event[];
  readonly row: ClassRow;
  readonly unit: string;
}

export function sceneOf(all: readonly Series[], wish: Wish, data: SceneData): Scene {
  const slots = slotsOf(all.map(({ points }) => points));
  const base = all.find(({ case: caseRow }) => nameOf(caseRow) === wish.relative);
  const shownOf = (points: readonly Point[]): readonly Shown[] => {
    if (base !== undefined) return toSeries(points, base.points);
    return wish.relative === "first" ? toFirst(points) : points.map(absolute);
  };
  const series = all.map((entry) => {
    const id = nameOf(entry.case);
    const dots = dotsOf(entry.points, shownOf(entry.points), slots);
    const line = { id, name: entry.name, number: entry.number, dots };
    const { metric } = wish;
    const events = eventsOf(data.events, entry.case, metric, data.row.class, entry.points);
    return { ...entry, id, line, events };
  });
  const ratios = base !== undefined || wish.relative === "first";
  return {
    slots,
    series,
    marks: series.flatMap(marksOf),
    environmentChanges: environmentChangesOf(slots.runs, [
      ...new Set(all.map(({ case: caseRow }) => caseRow.boot)),
    ]),
    unit: data.unit,
    ratios,
    write: ratios ? change : (value) => quantity(value, data.unit),
  };
}

function dotsOf(points: readonly Point[], shown: readonly Shown[], slots: Slots): readonly Dot[] {
  return points.map((point, index) => {
    const at = slots.positionOf.get(point.run) ?? positionOfGap(points[index + 1], slots);
    const { value = null, low = null, high = null } = shown[index] ?? {};
    return {
      at,
      value,
      low,
      high,
      marked: point.marks.length > 0 && value !== null,
      failed: point.status === "failed",
    };
  });
}

/** What could not be loaded breaks the line between two runs, and has no place of its own. */
function positionOfGap(next: Point | undefined, slots: Slots): number {
  return (slots.positionOf.get(next?.run ?? "") ?? 0) - 0.5;
}

function marksOf({ id, line, events }: DrawnSeries): readonly Mark[] {
  return events.flatMap(({ index, shape, bad }) => {
    const dot = line.dots[index];
    return dot ? [{ line: id, at: dot.at, shape, bad }] : [];
  });
}

/** A picture of some of the series; its axis has room for all of them. */
export function pictureOf(scene: Scene, some: readonly DrawnSeries[], wish: Wish): LinesPicture {
  const ids = new Set(some.map(({ id }) => id));
  const { runs } = scene.slots;
  return {
    lines: some.map(({ line }) => line),
    against: scene.series.map(({ line }) => line),
    marks: scene.marks.filter(({ line }) => ids.has(line)),
    environmentChanges: scene.environmentChanges,
    positions: runs.length,
    label: (at) => date(runs[at]?.time ?? ""),
    write: scene.write,
    log: wish.log,
    zero: wish.zero && !wish.log,
  };
}

/** The point of a series at a place, and what was measured before it. */
export interface PointAt {
  readonly series: DrawnSeries;
  readonly index: number;
  readonly point: Point;
  readonly dot: Dot;
  /** The commit that was measured last before this one. */
  readonly before: Point | null;
}

export function pointAt(scene: Scene, id: string, at: number): PointAt | null {
  const series = scene.series.find((candidate) => candidate.id === id);
  const index = series?.line.dots.findIndex((dot) => dot.at === at) ?? -1;
  return series === undefined ? null : pointOf(series, index);
}

/** The point that an address names by its series' number and its run or commit; else the newest. */
export function pointNamed(scene: Scene, name: string | null): PointAt | null {
  const [, number, what = ""] = /^(?:(\d+):)?(.+)$/.exec(name ?? "") ?? [];
  const first = scene.series.find(
    (candidate) => number === undefined || candidate.number === Number(number),
  );
  const series = first ?? scene.series[0];
  if (series === undefined) return null;
  const found = series.points.findIndex(
    ({ run, sha, status }) => status !== LOST && (run === what || (sha !== null && sha === what)),
  );
  return pointOf(series, found >= 0 ? found : series.points.length - 1);
}

/** A point as an address names it. */
export function pointName({ series, point }: PointAt): string {
  return `${series.number}:${point.run}`;
}

function pointOf(series: DrawnSeries, index: number): PointAt | null {
  const [point, dot] = [series.points[index], series.line.dots[index]];
  if (point === undefined || dot === undefined) return null;
  const before = series.points
    .slice(0, index)
    .findLast(({ sha, median }) => sha !== null && median !== null && sha !== point.sha);
  return { series, index, point, dot, before: before ?? null };
}
