/** What ECharts is told to draw for lines. Pure. */

import type { CustomSeriesOption, LineSeriesOption } from "echarts/charts";
import type {
  DataZoomComponentOption,
  GridComponentOption,
  TitleComponentOption,
} from "echarts/components";
import type { ComposeOption } from "echarts/core";
import type { Colours } from "./colours";
import {
  colourOf,
  edgeLayer,
  environmentChangeLayer,
  intervalLayer,
  markLayer,
  nameLayer,
  type Seen,
} from "./layers";
import { heldPosition, type Layout, SLIDER_HEIGHT } from "./layout";
import { type Dot, type Line, type LinesPicture, MOST_INTERVALS, type Range } from "./lines";
import { lookOf } from "./looks";
import { thinned } from "./thinned";
import { CLOSEST } from "./zoom";

export type LinesOption = ComposeOption<
  | CustomSeriesOption
  | LineSeriesOption
  | GridComponentOption
  | DataZoomComponentOption
  | TitleComponentOption
>;

/** Up to so many dots of a line each interval is a bar of its own; beyond, they form a band. */
const MOST_BARS = 60;
/** Up to so many dots of a line each is seen by itself. */
const MOST_DOTS = 100;

/** Everything that follows from the places that are seen. */
export function seenOption(picture: LinesPicture, layout: Layout, palette: Colours): LinesOption {
  const columns = Math.max(50, Math.round(layout.right - layout.left));
  const seen: Seen = picture.lines.map((line) => [
    line,
    thinned(line.dots, layout.seen, columns, marksOf(picture, line)),
  ]);
  const most = Math.max(0, ...seen.map(([, dots]) => dots.length));
  return {
    animation: false,
    grid: {
      left: layout.left,
      right: layout.width - layout.right,
      top: layout.top,
      bottom: layout.height - layout.bottom,
      outerBoundsMode: "none",
    },
    xAxis: horizontal(picture, layout, palette),
    yAxis: verticalAxis(picture, layout, palette),
    series: [
      environmentChangeLayer(picture, layout, palette),
      ...(picture.lines.length > MOST_INTERVALS
        ? []
        : [intervalLayer(inFull(picture, layout, most, seen), layout, most <= MOST_BARS, palette)]),
      ...seen.map(([line, dots]) => lineSeries(line, dots, layout, most <= MOST_DOTS, palette)),
      edgeLayer(seen, layout, palette),
      markLayer(inView(picture, layout.seen), layout, palette),
      ...(picture.lines.length > 1 ? [nameLayer(picture, layout, palette)] : []),
    ],
  };
}

/** The whole option: what is seen, and how that is changed. */
export function linesOption(
  picture: LinesPicture,
  layout: Layout,
  palette: Colours,
  slider: boolean,
): LinesOption {
  return {
    ...seenOption(picture, layout, palette),
    dataZoom: zooms(picture, layout, palette, slider),
  };
}

function marksOf({ marks }: LinesPicture, line: Line): ReadonlySet<number> {
  return new Set(marks.flatMap((mark) => (mark.line === line.id ? [mark.at] : [])));
}

function inView(picture: LinesPicture, { from, to }: Range): LinesPicture {
  return { ...picture, marks: picture.marks.filter(({ at }) => at >= from && at <= to) };
}

/** A band is as wide as all intervals of a column, not only as those of the dots that were kept. */
function inFull(picture: LinesPicture, { seen }: Layout, most: number, thin: Seen): Seen {
  if (most <= MOST_BARS) return thin;
  return picture.lines.map((line) => [line, thinned(line.dots, seen, Number.POSITIVE_INFINITY)]);
}

function horizontal({ positions, label }: LinesPicture, layout: Layout, palette: Colours) {
  return {
    type: "value" as const,
    min: -0.5,
    max: positions - 0.5,
    axisLine: { lineStyle: { color: palette.line }, onZero: false },
    axisTick: { show: false, customValues: [] },
    splitLine: { show: false },
    axisLabel: {
      color: palette.quiet,
      hideOverlap: true,
      showMinLabel: true,
      margin: 10,
      customValues: labelled(label, layout),
      formatter: (at: number) => label(Math.round(at)),
    },
  };
}

const LABEL_WIDTH = 105;

/** Places with a label: as many as there is room for, and none twice. */
export function labelled(label: (at: number) => string, layout: Layout): number[] {
  const { from, to } = layout.seen;
  const [first, last] = [Math.ceil(from), Math.floor(to)];
  const most = Math.max(2, Math.floor((layout.right - layout.left) / LABEL_WIDTH));
  const step = Math.max(1, Math.ceil((last - first + 1) / most));
  const found: number[] = [];
  let before = "";
  for (let at = first; at <= last; at += step) {
    const text = label(at);
    if (text !== before) found.push(at);
    before = text;
  }
  return found;
}

function verticalAxis(picture: LinesPicture, { vertical }: Layout, palette: Colours) {
  const at = new Map(
    vertical.ticks.map((tick) => [vertical.positionOf(tick).toPrecision(9), tick]),
  );
  return {
    type: "value" as const,
    min: vertical.min,
    max: vertical.max,
    axisLine: { show: false },
    // what has ticks has lines of the grid
    axisTick: { show: false, customValues: vertical.ticks.map(vertical.positionOf) },
    axisLabel: {
      color: palette.quiet,
      customValues: vertical.ticks.map(vertical.positionOf),
      formatter: (position: number) => picture.write(at.get(position.toPrecision(9)) ?? position),
    },
    splitLine: { lineStyle: { color: palette.line } },
  };
}

function lineSeries(
  line: Line,
  dots: readonly Dot[],
  { vertical }: Layout,
  dotted: boolean,
  palette: Colours,
): LineSeriesOption {
  const colour = colourOf(line, palette);
  const look = lookOf(line.number);
  const hollow = { color: palette.paper, borderColor: colour, borderWidth: 2 };
  const alone = (at: number) =>
    (dots[at - 1]?.value ?? null) === null && (dots[at + 1]?.value ?? null) === null;
  return {
    id: `line ${line.id}`,
    type: "line",
    silent: true,
    symbol: dotted ? look.symbol : "none",
    symbolSize: 6,
    showAllSymbol: true,
    lineStyle: { width: 1.75, color: colour, type: look.dash },
    itemStyle: { color: colour },
    z: 3,
    data: dots.map((dot, at) => {
      if (dot.value === null) return [dot.at, "-"];
      const value = [dot.at, heldPosition(vertical, dot.value)];
      if (dot.marked) return { value, symbol: "circle", symbolSize: 8, itemStyle: hollow };
      return dotted || !alone(at) ? value : { value, symbol: look.symbol };
    }),
  };
}

function zooms(
  { positions, label }: LinesPicture,
  layout: Layout,
  palette: Colours,
  slider: boolean,
) {
  const common = {
    xAxisIndex: 0,
    filterMode: "none" as const,
    startValue: layout.seen.from - 0.5,
    endValue: layout.seen.to + 0.5,
    minValueSpan: Math.min(CLOSEST, positions),
  };
  const inside = {
    ...common,
    id: "inside",
    type: "inside" as const,
    // a wheel by itself scrolls the page
    zoomOnMouseWheel: "ctrl" as const,
    preventDefaultMouseMove: false,
  };
  if (!slider) return [inside];
  return [
    inside,
    {
      ...common,
      id: "slider",
      type: "slider" as const,
      left: layout.left,
      right: layout.width - layout.right,
      bottom: 6,
      height: SLIDER_HEIGHT,
      showDataShadow: false,
      borderColor: palette.line,
      fillerColor: palette.band,
      handleStyle: { color: palette.paper, borderColor: palette.quiet },
      moveHandleStyle: { color: palette.quiet, opacity: 0.5 },
      emphasis: { handleStyle: { borderColor: palette.accent } },
      textStyle: { color: palette.quiet },
      labelFormatter: (at: number) => label(Math.max(0, Math.min(positions - 1, Math.round(at)))),
    },
  ];
}
