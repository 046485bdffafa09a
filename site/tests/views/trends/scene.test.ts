import { expect, test } from "vitest";
import type { Event } from "../../../src/data/contract";
import { gapBefore, type Point, pointsOf } from "../../../src/data/points";
import { changed, turns } from "../../../src/views/trends/environment_changes";
import { countSeen, exportedPoint, rowsSeen } from "../../../src/views/trends/exported";
import { toFirst, toSeries } from "../../../src/views/trends/relative";
import {
  pointAt,
  pointName,
  pointNamed,
  type Series,
  sceneOf,
} from "../../../src/views/trends/scene";
import { rangeChoices, rangeOf, slotsOf } from "../../../src/views/trends/slots";
import { readWish } from "../../../src/views/trends/wish";
import { documents } from "../../documents";

const sample = documents({ runs: 20, cases: 2 });
const points = pointsOf(sample.month, sample.series, "throughput_rps");
const [first, second] = sample.index.cases;
const [row] = sample.index.classes;
if (first === undefined || second === undefined || row === undefined) throw new Error("no cases");
const [one, other] = [first, second];
const sceneData = { events: [] as Event[], row, unit: "rps" };

const series = (points: Readonly<Point>[], number = 1): Series => ({
  case: number === 1 ? one : other,
  name: `s${number}`,
  number,
  points,
});
const wish = (query = "") => readWish(sample.index.metrics, new URLSearchParams(query));
const times = (values: readonly Point[]) => values.map(({ time }) => time);

test("runs of all series stand in order of their commits, each once", () => {
  const [even, odd] = [0, 1].map((remainder) => points.filter((_, at) => at % 2 === remainder));
  const slots = slotsOf([odd ?? [], even ?? [], points]);
  expect(times(slots.runs)).toEqual(times(points));
});

test("a lost stretch breaks the line and has no place of its own", () => {
  const [start, next] = [points[4], points[9]];
  if (start === undefined || next === undefined) throw new Error("no points");
  const scene = sceneOf([series([start, gapBefore(next), next])], wish(), sceneData);
  expect(scene.slots.runs).toHaveLength(2);
  expect(scene.series[0]?.line.dots.map(({ at, value }) => [at, value !== null])).toEqual([
    [0, true],
    [0.5, false],
    [1, true],
  ]);
});

test("a range is the same after a way through the address, and clear where it is everything", () => {
  const slots = slotsOf([points]);
  const choices = rangeChoices(slots, { from: 3, to: 12 });
  expect(rangeOf(slots, Date.parse(choices.from ?? ""), Date.parse(choices.to ?? ""))).toEqual({
    from: 3,
    to: 12,
  });
  expect(rangeChoices(slots, { from: 0, to: 19 })).toEqual({ from: undefined, to: undefined });
  expect(rangeOf(slots, Date.parse("2999-01-01"), null)).toEqual({ from: 0, to: 19 });
});

test("relative to the first: it is 1, and intervals keep their share", () => {
  const [begin] = toFirst(points);
  expect(begin?.value).toBe(1);
  expect(begin?.low).toBeCloseTo(0.985, 2);
  expect(toFirst(points.map((point) => ({ ...point, median: 0 })))[0]?.value).toBeNull();
});

test("relative to a series: the same commit counts, and a commit of one alone has no value", () => {
  const half = points.map((point) => ({
    ...point,
    run: `other ${point.run}`,
    median: point.median === null ? null : point.median / 2,
    low: point.low === null ? null : point.low / 2,
    high: point.high === null ? null : point.high / 2,
  }));
  const shown = toSeries(half, points.slice(0, 10));
  expect(shown[0]?.value).toBeCloseTo(0.5);
  // no interval of a ratio is made up
  expect(shown[0]?.low).toBeNull();
  expect(shown[15]?.value).toBeNull();
  expect(toSeries(points, points)[0]?.value).toBe(1);
});

test("a host that changed and did not change back is an environment change; hosts that take turns are none", () => {
  expect(turns(["a", "a", "b", "b"])).toEqual([{ at: 2, before: "a", after: "b" }]);
  expect(turns(["a", "b", "a", "b", "c"])).toEqual([{ at: 4, before: "b", after: "c" }]);
  expect(turns(["", "a", "", "a"])).toEqual([]);
  expect(changed("kernel 6.1; JDK 25", "kernel 6.8; JDK 25")).toBe("kernel 6.8");
});

const event = (more: Partial<Event>, sha: string): Event => ({
  id: "e1",
  kind: "step",
  direction: "regression",
  state: "confirmed",
  culprit: {
    before: { sha: "000000000000", time: "", message: "", author: "" },
    after: { sha, time: "", message: "", author: "" },
  },
  run: "",
  shared: "all",
  affected_series: [
    {
      case: one.case,
      configuration: one.configuration,
      host_class: sceneData.row.class,
      metric: "throughput_rps",
      unit: "rps",
      better: "higher",
      ratio: 0.9,
      low_ratio: 0.8,
      high_ratio: 0.95,
    },
  ],
  ...more,
});

test("an event is marked where its affected series turned, by its state; a rejected one is not", () => {
  const sha = points[7]?.sha ?? "";
  const events = [event({}, sha), event({ state: "rejected" }, sha)];
  const scene = sceneOf([series([...points])], wish(), { ...sceneData, events });
  expect(scene.marks).toMatchObject([{ at: 7, shape: "confirmed", bad: true }]);
  const unlike = sceneOf([series([...points])], wish("metric=startup_s"), { ...sceneData, events });
  expect(unlike.marks).toEqual([]);
});

test("a point has a name that leads back to it, and knows the commit before", () => {
  const scene = sceneOf([series([...points]), series(points.slice(5), 2)], wish(), sceneData);
  const id = scene.series[1]?.id ?? "";
  const at = pointAt(scene, id, 9);
  expect(at?.before?.sha).toBe(points[8]?.sha);
  expect(pointNamed(scene, at && pointName(at))?.point.run).toBe(points[9]?.run);
  expect(pointNamed(scene, at && pointName(at))?.series.number).toBe(2);
  expect(pointNamed(scene, points[3]?.sha ?? "")?.index).toBe(3);
  expect(pointNamed(scene, "9:gone")?.index).toBe(19);
  expect(pointNamed(sceneOf([], wish(), sceneData), null)).toBeNull();
});

test("what is seen is exported, newest first, with the ratio where there is one", () => {
  const scene = sceneOf([series([...points])], wish("relative=first"), sceneData);
  const rows = rowsSeen(scene, { from: 5, to: 8 });
  expect(rows.map(({ index }) => index)).toEqual([8, 7, 6, 5]);
  expect(countSeen(scene, { from: 5, to: 8 })).toBe(4);
  const [newest] = rows;
  if (newest === undefined) throw new Error("no row");
  expect(exportedPoint(newest, "throughput_rps", "first")).toMatchObject({
    case: one.case,
    relative_to: "first",
    forks: 5,
  });
  expect(exportedPoint(newest, "throughput_rps", null)).not.toHaveProperty("ratio");
});
