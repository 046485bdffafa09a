/** The horizontal axis: every run that measured one of the series, in order of commits. Pure. */

import type { Range } from "../../charts/lines";
import { everything, held } from "../../charts/zoom";
import { LOST, type Point } from "../../data/points";

export interface Slots {
  /** One point of each run, in order. */
  readonly runs: readonly Point[];
  readonly positionOf: ReadonlyMap<string, number>;
}

export function slotsOf(series: readonly (readonly Point[])[]): Slots {
  const byRun = new Map<string, Point>();
  for (const points of series) {
    for (const point of points) {
      if (point.status !== LOST && !byRun.has(point.run)) byRun.set(point.run, point);
    }
  }
  const runs = [...byRun.values()].sort(inOrder);
  return { runs, positionOf: new Map(runs.map(({ run }, at) => [run, at])) };
}

function inOrder(a: Point, b: Point): number {
  return order(a.time, b.time) || order(a.startedAt, b.startedAt) || order(a.run, b.run);
}

function order(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** The places between two moments; all where there is no edge, or nothing between them. */
export function rangeOf({ runs }: Slots, from: number | null, to: number | null): Range {
  const all = everything(runs.length);
  if (from === null && to === null) return all;
  const times = runs.map(({ time }) => Date.parse(time));
  const first = from === null ? 0 : times.findIndex((time) => time >= from);
  const last = to === null ? all.to : times.findLastIndex((time) => time <= to);
  if (first < 0 || last < first) return all;
  return held({ from: first, to: last }, runs.length);
}

/** A range as an address has it; nothing where everything is seen. */
export function rangeChoices({ runs }: Slots, { from, to }: Range) {
  const last = runs.length - 1;
  return {
    from: from <= 0 ? undefined : runs[from]?.time,
    to: to >= last ? undefined : runs[to]?.time,
  };
}
