import { expect, test } from "vitest";
import type { Colours } from "../../src/charts/colours";
import { type ScalingPicture, scalingOption } from "../../src/charts/scaling_option";

const palette: Colours = {
  ink: "#111111",
  quiet: "#555555",
  line: "#dddddd",
  paper: "#ffffff",
  accent: "#006600",
  band: "#00660033",
  bad: "#990000",
  series: ["#0072b2", "#b8500a"],
};
const size = { width_px: 800, height_px: 400 };
const point = (x: number, y: number) => ({ x, y, symbol: "circle", words: [`${x}: ${y}`] });
const picture: ScalingPicture = {
  curves: [
    { name: "One", colour: 0, dash: "solid", points: [point(100, 100), point(1000, 900)] },
    { name: "Other", colour: 1, dash: [6, 4], points: [point(100, 99), point(1000, 899)] },
  ],
  theoreticalMax: {
    name: "theoreticalMax",
    points: [
      [100, 100],
      [1000, 1000],
    ],
  },
  log: true,
  step: 1,
  name: "Connections",
  count: String,
  write: String,
};

interface Drawn {
  readonly name: string;
  readonly labelLayout: { readonly y: number };
}

function drawn(scalingPicture: ScalingPicture): readonly Drawn[] {
  return scalingOption(scalingPicture, palette, size).series as unknown as readonly Drawn[];
}

test("the theoretical maximum is a line of its own, and left out where there is none", () => {
  expect(drawn(picture).map(({ name }) => name)).toEqual(["theoreticalMax", "One", "Other"]);
  const without = { ...picture, theoreticalMax: { name: "theoreticalMax", points: [] } };
  expect(drawn(without).map(({ name }) => name)).toEqual(["One", "Other"]);
});

test("names at the ends of lines do not lie on each other", () => {
  const positions = drawn(picture)
    .map(({ labelLayout }) => labelLayout.y)
    .toSorted((a, b) => a - b);
  for (const [at, position] of positions.slice(1).entries()) {
    expect(position - (positions[at] ?? 0)).toBeGreaterThanOrEqual(14);
  }
});

test("each measured number of connections has its place on the axis", () => {
  const { xAxis } = scalingOption({ ...picture, log: false }, palette, size);
  expect(xAxis).toMatchObject({ min: 100, max: 1000, axisLabel: { customValues: [100, 1000] } });
  expect(scalingOption(picture, palette, size).xAxis).toMatchObject({ min: 2, max: 3 });
});

test("a tip is drawn as text, and tells its own point", () => {
  const { tooltip } = scalingOption(picture, palette, size);
  const tip = Array.isArray(tooltip) ? tooltip[0] : tooltip;
  expect(tip?.renderMode).toBe("richText");
  const formatter = tip?.formatter as (params: object) => string;
  expect(formatter({ seriesIndex: 2, dataIndex: 1 })).toBe("Other\n1000: 899");
});
