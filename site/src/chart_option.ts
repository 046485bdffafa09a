/** What ECharts is told to draw for a series. Pure. */

import type { CustomSeriesRenderItemAPI } from "echarts";
import type { CustomSeriesOption, LineSeriesOption } from "echarts/charts";
import type { GridComponentOption, TooltipComponentOption } from "echarts/components";
import type { ComposeOption } from "echarts/core";
import type { Colours } from "./colours";
import { edges } from "./edges";
import { date, quantity } from "./format";
import type { Point } from "./points";

export type ChartOption = ComposeOption<
  CustomSeriesOption | LineSeriesOption | GridComponentOption | TooltipComponentOption
>;

/** Up to so many points each interval is an error bar of its own; beyond, they form a band. */
const MOST_BARS = 60;

/** The option for `points`, oldest first, on `width_px` pixels. */
export function chartOption(
  points: readonly Point[],
  unit: string,
  palette: Colours,
  width_px: number,
): ChartOption {
  const bars = points.length <= MOST_BARS;
  return {
    animation: false,
    grid: { left: 8, right: 16, top: 16, bottom: 8, containLabel: true },
    // the words beside the chart say what a point is: nothing published becomes markup
    tooltip: { trigger: "axis", showContent: false, axisPointer: pointer(palette) },
    xAxis: {
      type: "category",
      data: points.map((_, index) => String(index)),
      boundaryGap: points.length < 30,
      axisLine: { lineStyle: { color: palette.line } },
      axisTick: { show: false },
      axisLabel: {
        color: palette.quiet,
        hideOverlap: true,
        alignMinLabel: points.length < 30 ? "center" : "left",
        margin: 12,
        interval: labelInterval(points, width_px),
        formatter: (index: string) => date(points[Number(index)]?.time ?? ""),
      },
    },
    yAxis: {
      type: "value",
      ...edges(points),
      axisLabel: { color: palette.quiet, formatter: (value: number) => quantity(value, unit) },
      splitLine: { lineStyle: { color: palette.line } },
    },
    series: [
      ...(bars ? [] : bandSeries(points, palette)),
      lineSeries(points, palette),
      ...(bars ? [barSeries(points, palette)] : []),
      failureSeries(points, palette),
    ],
  };
}

function pointer(palette: Colours): NonNullable<TooltipComponentOption["axisPointer"]> {
  return { type: "line", lineStyle: { color: palette.quiet, type: "dotted" } };
}

/** A label for the first point of each day, and no more of them than fit. */
function labelInterval(points: readonly Point[], width_px: number): (index: number) => boolean {
  const most = Math.max(2, Math.floor(width_px / 110));
  const step = Math.max(1, Math.ceil(points.length / most));
  let last = "";
  const shown = new Set<number>();
  for (let index = 0; index < points.length; index += step) {
    const day = date(points[index]?.time ?? "");
    if (day !== last) shown.add(index);
    last = day;
  }
  return (index) => shown.has(index);
}

function lineSeries(points: readonly Point[], palette: Colours): LineSeriesOption {
  const sparse = points.length <= 200;
  const hollow = { color: palette.paper, borderColor: palette.accent, borderWidth: 2 };
  return {
    id: "median",
    type: "line",
    data: points.map((point) =>
      point.marks.length > 0
        ? { value: point.median ?? "-", symbolSize: 8, symbol: "circle", itemStyle: hollow }
        : (point.median ?? "-"),
    ),
    showSymbol: true,
    showAllSymbol: true,
    // a marked run is always seen, the others while there is room
    symbol: sparse ? "circle" : "none",
    symbolSize: 6,
    sampling: "lttb",
    lineStyle: { width: 1.75, color: palette.accent },
    itemStyle: { color: palette.accent },
    z: 3,
  };
}

/** Two stacked lines: an invisible one along the low edge, and the height above it, filled. */
function bandSeries(points: readonly Point[], palette: Colours): LineSeriesOption[] {
  const common: LineSeriesOption = {
    type: "line",
    stack: "interval",
    stackStrategy: "all",
    symbol: "none",
    silent: true,
    sampling: "lttb",
    lineStyle: { opacity: 0 },
    z: 1,
  };
  return [
    { ...common, id: "low", data: points.map(({ low }) => low ?? "-") },
    {
      ...common,
      id: "high",
      data: points.map(({ low, high }) => (low === null || high === null ? "-" : high - low)),
      areaStyle: { color: palette.band, opacity: 1 },
    },
  ];
}

function barSeries(points: readonly Point[], palette: Colours): CustomSeriesOption {
  return {
    id: "interval",
    type: "custom",
    silent: true,
    z: 2,
    data: points.flatMap(({ low, high }, index) =>
      low === null || high === null ? [] : [[index, low, high]],
    ),
    encode: { x: 0, y: [1, 2] },
    renderItem: (_, api) => bar(api, palette),
  };
}

function bar(api: CustomSeriesRenderItemAPI, palette: Colours) {
  const [x = 0, low = 0] = api.coord([api.value(0), api.value(1)]);
  const [, high = 0] = api.coord([api.value(0), api.value(2)]);
  const style = { stroke: palette.accent, lineWidth: 1.25, opacity: 0.6 };
  const segment = (x1: number, y1: number, x2: number, y2: number) => ({
    type: "line" as const,
    shape: { x1, y1, x2, y2 },
    style,
  });
  return {
    type: "group" as const,
    children: [
      segment(x, low, x, high),
      segment(x - 4, low, x + 4, low),
      segment(x - 4, high, x + 4, high),
    ],
  };
}

/** A cross at the foot of the chart for each run in which the case failed. */
function failureSeries(points: readonly Point[], palette: Colours): CustomSeriesOption {
  return {
    id: "failed",
    type: "custom",
    silent: true,
    z: 2,
    data: points.flatMap(({ status }, index) => (status === "failed" ? [[index]] : [])),
    encode: { x: 0, y: -1 },
    renderItem: (params, api) => {
      const area = params.coordSys as unknown as { readonly y: number; readonly height: number };
      const [x = 0] = api.coord([api.value(0), 0]);
      return {
        type: "text" as const,
        x,
        y: area.y + area.height - 4,
        style: {
          text: "×",
          fill: palette.bad,
          fontSize: 15,
          align: "center",
          verticalAlign: "bottom",
        },
      };
    },
  };
}
