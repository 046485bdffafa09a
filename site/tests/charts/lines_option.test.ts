import { expect, test } from "vitest";
import type { Colours } from "../../src/charts/colours";
import { layoutOf } from "../../src/charts/layout";
import { type Line, MOST_INTERVALS } from "../../src/charts/lines";
import { labelled, linesOption } from "../../src/charts/lines_option";
import { lookOf } from "../../src/charts/looks";
import { spread } from "../../src/charts/spread";
import { everything } from "../../src/charts/zoom";
import { line, picture } from "./dots";

const palette: Colours = {
  ink: "#000",
  quiet: "#555",
  line: "#ddd",
  paper: "#fff",
  accent: "#063",
  band: "#0632",
  bad: "#900",
  series: Array.from({ length: 8 }, (_, at) => `#00${at}`),
};

function optionOf(lines: readonly Line[]) {
  const drawing = picture(lines);
  const layout = layoutOf(
    drawing,
    everything(drawing.positions),
    { width: 1000, height: 320 },
    true,
  );
  return linesOption(drawing, layout, palette, true);
}

function ids(lines: readonly Line[]): readonly unknown[] {
  return [optionOf(lines).series].flat().map((series) => series?.id);
}

const some = (count: number) =>
  Array.from({ length: count }, (_, at) => line([1, 2, 3], `s${at}`, at + 1));

test("one line goes without a name at its end, several have one each", () => {
  expect(ids(some(1))).toEqual(["environmentChanges", "intervals", "line s0", "edges", "marks"]);
  expect(ids(some(2))).toContain("names");
});

test("too many lines have no intervals", () => {
  expect(ids(some(MOST_INTERVALS))).toContain("intervals");
  expect(ids(some(MOST_INTERVALS + 1))).not.toContain("intervals");
});

test("a value that is off the axis leads the line out of the chart, and no further", () => {
  const [drawn] = [optionOf([line([200, 201, 1e308, 199])]).series]
    .flat()
    .filter((series) => series?.id === "line a");
  const values = ((drawn?.data ?? []) as readonly [number, number][]).map(([, value]) => value);
  expect(Math.max(...values)).toBeLessThan(1_000);
});

test("10,000 dots become what the pixels can show", () => {
  const long = line(Array.from({ length: 10_000 }, (_, at) => 100 + (at % 7)));
  const [drawn] = [optionOf([long]).series].flat().filter((series) => series?.id === "line a");
  const dots = (drawn?.data ?? []) as readonly unknown[];
  expect(dots.length).toBeGreaterThan(800);
  expect(dots.length).toBeLessThan(5_000);
});

test("labels below the chart are few, and no day stands there twice", () => {
  const drawing = picture(some(1), { positions: 400 });
  const layout = layoutOf(drawing, everything(400), { width: 800, height: 320 }, true);
  const labels = labelled((at) => `day ${Math.floor(at / 200)}`, layout);
  expect(labels).toHaveLength(2);
});

test("the first lines differ in colour, and none has the look of another before the 24th", () => {
  const looks = Array.from({ length: 24 }, (_, at) => JSON.stringify(lookOf(at + 1)));
  expect(new Set(looks).size).toBe(24);
  expect(new Set(Array.from({ length: 8 }, (_, at) => lookOf(at + 1).colour)).size).toBe(8);
});

test("names that would lie on each other are moved apart, in their order", () => {
  expect(spread([50, 51, 10], 15, 0, 100)).toEqual([50, 65, 10]);
  expect(spread([99, 100], 15, 0, 100)).toEqual([85, 100]);
  expect(spread([], 15, 0, 100)).toEqual([]);
});
