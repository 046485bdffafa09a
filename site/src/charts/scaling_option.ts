/** What ECharts is told to draw for numbers over a count, such as connections. Pure. */

import type { LineSeriesOption } from "echarts/charts";
import type { GridComponentOption, TooltipComponentOption } from "echarts/components";
import type { ComposeOption } from "echarts/core";
import type { Colours } from "./colours";
import type { Size } from "./echart";
import { spread } from "./spread";
import { linearTicks, logTicks } from "./ticks";

export type ScalingOption = ComposeOption<
  LineSeriesOption | GridComponentOption | TooltipComponentOption
>;

export interface CurvePoint {
  readonly x: number;
  readonly y: number;
  readonly symbol: string;
  /** What is said of it, line by line. */
  readonly words: readonly string[];
}

export interface Curve {
  readonly name: string;
  /** Which of the palette's colours. */
  readonly colour: number;
  readonly dash: "solid" | number[];
  readonly points: readonly CurvePoint[];
}

export interface ScalingPicture {
  readonly curves: readonly Curve[];
  /** What physics allows, where anything does. */
  readonly theoreticalMax: {
    readonly name: string;
    readonly points: readonly (readonly [number, number])[];
  };
  readonly log: boolean;
  /** Of which round numbers are made: bytes are counted by the MiB. */
  readonly step: number;
  /** Of the horizontal axis. */
  readonly name: string;
  readonly count: (value: number) => string;
  readonly write: (value: number) => string;
}

/** About so wide is a letter of a label, and so far from one label to the next. */
const LETTER_PX = 6.6;
const LABEL_PX = 15;
const TOP = 12;
const BOTTOM = 44;

export function scalingOption(
  picture: ScalingPicture,
  palette: Colours,
  { width_px, height_px, head_px = 0 }: Size,
): ScalingOption {
  const positionOf = (value: number) => (picture.log ? Math.log10(value) : value);
  const lines = linesOf(picture);
  const longest = LETTER_PX * Math.max(...lines.map(({ name }) => name.length)) + 16;
  const narrow = width_px < 520;
  // names matter more than the width of lines
  const room = Math.min(longest, width_px * (narrow ? 0.44 : 0.36));
  const vertical = ticksOf(picture);
  const [min = 0, max = 1] = [vertical[0], vertical.at(-1)].map((tick) => positionOf(tick ?? 0));
  const top = TOP + head_px;
  const height = height_px - top - BOTTOM;
  const ends = lines.map(
    ({ last }) => top + height * (1 - (positionOf(last) - min) / (max - min || 1)),
  );
  const labels = spread(ends, Math.min(LABEL_PX, height / lines.length), top, top + height);
  const labelled = (at: number, color: string) =>
    label(lines[at]?.name ?? "", color, room, labels[at] ?? 0);
  const first = picture.theoreticalMax.points.length < 2 ? 0 : 1;
  return {
    animation: false,
    grid: { left: narrow ? 64 : 76, right: room, top, bottom: BOTTOM },
    // drawn on the canvas: nothing published becomes markup
    tooltip: {
      trigger: "item",
      renderMode: "richText",
      confine: true,
      backgroundColor: palette.paper,
      borderColor: palette.line,
      textStyle: { color: palette.ink, fontSize: 12 },
      formatter: (params) => tooltipText(picture, params),
    },
    xAxis: {
      ...axis(countsOf(picture), positionOf, picture.count, palette),
      name: picture.name,
      nameLocation: "middle",
      nameGap: 28,
      nameTextStyle: { color: palette.quiet },
    },
    yAxis: axis(vertical, positionOf, picture.write, palette),
    series: [
      ...(first === 1
        ? [theoreticalMaxLine(picture, palette, positionOf, labelled(0, palette.quiet))]
        : []),
      ...picture.curves.map((curve, at) => {
        const ink = palette.series[curve.colour % palette.series.length] ?? palette.accent;
        return line(curve, ink, positionOf, labelled(at + first, ink));
      }),
    ],
  };
}

/** Each line that is drawn, the theoretical maximum first, and where it ends. */
function linesOf({ theoreticalMax, curves }: ScalingPicture) {
  const end = theoreticalMax.points.at(-1)?.[1];
  return [
    ...(theoreticalMax.points.length < 2 || end === undefined
      ? []
      : [{ name: theoreticalMax.name, last: end }]),
    ...curves.map(({ name, points }) => ({ name, last: points.at(-1)?.y ?? 0 })),
  ];
}

function countsOf({ curves }: ScalingPicture): readonly number[] {
  const counts = curves.flatMap(({ points }) => points.map(({ x }) => x));
  return [...new Set(counts)].toSorted((a, b) => a - b);
}

function ticksOf({ curves, theoreticalMax, log, step }: ScalingPicture): readonly number[] {
  const values = [
    ...curves.flatMap(({ points }) => points.map(({ y }) => y)),
    ...theoreticalMax.points.map(([, y]) => y),
  ].map((value) => value / step);
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const ticks = log ? logTicks(least, most) : linearTicks(most);
  return ticks.map((tick) => tick * step);
}

/** An axis with a line of the grid and a label at each of these values, and nowhere else. */
function axis(
  values: readonly number[],
  positionOf: (value: number) => number,
  write: (value: number) => string,
  palette: Colours,
) {
  const positions = values.map(positionOf);
  const customValues = [...positions];
  return {
    type: "value" as const,
    min: positions[0] ?? 0,
    max: positions.at(-1) ?? 1,
    axisLine: { show: false },
    axisTick: { show: false, customValues },
    splitLine: { lineStyle: { color: palette.line }, customValues },
    axisLabel: {
      color: palette.quiet,
      customValues,
      hideOverlap: true,
      formatter: (at: number) => write(nearestOf(values, positions, at)),
    },
  };
}

/** The value itself at a place, without what its logarithm has lost. */
function nearestOf(values: readonly number[], positions: readonly number[], at: number): number {
  const off = positions.map((tickPosition) => Math.abs(tickPosition - at));
  return values[off.indexOf(Math.min(...off))] ?? at;
}

type Labelled = Required<Pick<LineSeriesOption, "endLabel" | "labelLayout">>;

function line(
  { name, dash, points }: Curve,
  ink: string,
  positionOf: (value: number) => number,
  labelled: Labelled,
): LineSeriesOption {
  return {
    type: "line",
    name,
    data: points.map(({ x, y, symbol }) => ({ value: [positionOf(x), positionOf(y)], symbol })),
    symbolSize: 8,
    showAllSymbol: true,
    lineStyle: { color: ink, width: 1.75, type: dash },
    itemStyle: { color: ink },
    emphasis: { focus: "series" },
    ...labelled,
  };
}

function theoreticalMaxLine(
  { theoreticalMax }: ScalingPicture,
  palette: Colours,
  positionOf: (value: number) => number,
  labelled: Labelled,
): LineSeriesOption {
  return {
    type: "line",
    name: theoreticalMax.name,
    silent: true,
    symbol: "none",
    data: theoreticalMax.points.map(([x, y]) => [positionOf(x), positionOf(y)]),
    lineStyle: { color: palette.quiet, width: 1.25, type: [2, 4] },
    z: 1,
    ...labelled,
  };
}

/** The name of a line at its end, as near to it as the others leave room. */
function label(name: string, color: string, room: number, y: number): Labelled {
  const endLabel = { show: true, formatter: () => name, color, fontSize: 11.5, distance: 8 };
  return {
    endLabel: { ...endLabel, width: room - 12, overflow: "truncate" },
    labelLayout: { y },
  };
}

function tooltipText({ curves, theoreticalMax }: ScalingPicture, params: unknown): string {
  const { seriesIndex, dataIndex } = params as { seriesIndex: number; dataIndex: number };
  const first = theoreticalMax.points.length < 2 ? 0 : 1;
  const curve = curves[seriesIndex - first];
  return [curve?.name, ...(curve?.points[dataIndex]?.words ?? [])].join("\n");
}
