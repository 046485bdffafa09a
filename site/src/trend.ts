/** The trend chart: from points to an element that a mouse, a finger or a keyboard can read. */

import { CustomChart, LineChart } from "echarts/charts";
import { GridComponent, TooltipComponent } from "echarts/components";
import * as echarts from "echarts/core";
import { CanvasRenderer } from "echarts/renderers";
import { chartOption } from "./chart_option";
import { colours } from "./colours";
import { element } from "./dom";
import { date } from "./format";
import { pointTable } from "./point_table";
import type { Point } from "./points";
import { readout, spreadWords, valueWords } from "./readout";

echarts.use([LineChart, CustomChart, GridComponent, TooltipComponent, CanvasRenderer]);

export interface Trend {
  readonly title: string;
  readonly unit: string;
  readonly better: string;
  readonly points: readonly Point[];
  readonly repository: string | null;
}

export interface DrawnTrend {
  readonly element: HTMLElement;
  /** To be called once the element is in the page, which gives it its size. */
  draw(): void;
  /** Let go of the canvas and of everything that watches the page. */
  dispose(): void;
}

/** The figure of a series that has points. */
export function trend(of: Trend): DrawnTrend {
  const canvas = element("div", {
    class: "chart",
    id: "chart",
    tabindex: 0,
    role: "slider",
    "aria-orientation": "horizontal",
    "aria-label": `${of.title}, one point a run; the arrow keys move along`,
    "aria-valuemin": 1,
    "aria-valuemax": of.points.length,
  });
  const words = element("div", { class: "readout", id: "readout" });
  const caption = element("figcaption", {}, element("strong", {}, of.title), captionWords(of));
  const figure = element("figure", {}, caption, canvas, words, pointTable(of));
  const watch = new AbortController();
  let chart: echarts.ECharts | undefined;
  let current = of.points.length - 1;

  const show = (index: number): void => {
    const point = of.points[index];
    if (point === undefined) return;
    current = index;
    words.replaceChildren(readout(point, of.unit, of.repository));
    canvas.setAttribute("aria-valuenow", String(index + 1));
    canvas.setAttribute("aria-valuetext", spoken(point, of.unit));
  };
  const redraw = (): void => {
    chart?.resize();
    chart?.setOption(chartOption(of.points, of.unit, colours(), canvas.clientWidth), true);
  };
  canvas.addEventListener("keydown", (event) => {
    const next = moved(event.key, current, of.points.length);
    if (next === null) return;
    event.preventDefault();
    show(next);
    chart?.dispatchAction({ type: "showTip", seriesId: "median", dataIndex: next });
  });
  show(current);

  return {
    element: figure,
    draw: () => {
      chart = echarts.init(canvas, null, { renderer: "canvas" });
      chart.on("updateAxisPointer", (event) => {
        const index = pointedAt(event);
        if (index !== null && index !== current) show(index);
      });
      redraw();
      const size = new ResizeObserver(redraw);
      size.observe(canvas);
      watch.signal.addEventListener("abort", () => size.disconnect());
      matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw, watch);
    },
    dispose: () => {
      watch.abort();
      chart?.dispose();
    },
  };
}

function captionWords(of: Trend): string {
  const first = of.points[0];
  const last = of.points.at(-1);
  if (first === undefined || last === undefined) return "";
  const [from, to] = [date(first.time), date(last.time)];
  const span = from === to ? from : `${from} to ${to}`;
  const runs = of.points.length === 1 ? "One run" : `${of.points.length} runs`;
  return `. ${runs}, ${span}; ${of.better} is better.`;
}

function spoken(point: Point, unit: string): string {
  return [date(point.time), valueWords(point, unit), spreadWords(point, unit)]
    .filter(Boolean)
    .join(", ");
}

/** Where a key leads from `current` of `count` points; null for a key that leads nowhere. */
export function moved(key: string, current: number, count: number): number | null {
  const steps: Readonly<Record<string, number>> = {
    ArrowLeft: current - 1,
    ArrowDown: current - 1,
    ArrowRight: current + 1,
    ArrowUp: current + 1,
    PageUp: current + 10,
    PageDown: current - 10,
    Home: 0,
    End: count - 1,
  };
  const next = Object.hasOwn(steps, key) ? steps[key] : undefined;
  return next === undefined ? null : Math.min(Math.max(next, 0), count - 1);
}

function pointedAt(event: unknown): number | null {
  const infos = (event as { axesInfo?: { value?: unknown }[] }).axesInfo;
  const value = infos?.[0]?.value;
  return typeof value === "number" ? value : null;
}
