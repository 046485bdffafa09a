/** A chart of lines on an element: ECharts, and its updates as readers zoom. */

import { CustomChart, LineChart } from "echarts/charts";
import {
  DataZoomInsideComponent,
  DataZoomSliderComponent,
  GridComponent,
  TitleComponent,
} from "echarts/components";
import * as echarts from "echarts/core";
import { CanvasRenderer } from "echarts/renderers";
import { colours } from "./colours";
import { atOf, type Layout, layoutOf } from "./layout";
import type { LinesPicture, Range, Spot } from "./lines";
import { linesOption, seenOption } from "./lines_option";
import { nearest } from "./nearest";
import { held } from "./zoom";

echarts.use([
  LineChart,
  CustomChart,
  GridComponent,
  DataZoomInsideComponent,
  DataZoomSliderComponent,
  TitleComponent,
  CanvasRenderer,
]);

export interface LineListeners {
  /** What is seen now, after each change. */
  readonly onLayout: (layout: Layout) => void;
  /** A reader has zoomed or moved, and is done. */
  readonly onRange: (range: Range) => void;
  readonly onHover: (spot: Spot | null) => void;
  readonly onChoose: (spot: Spot) => void;
}

export interface DrawnLines {
  readonly show: (picture: LinesPicture, range: Range) => void;
  readonly dispose: () => void;
}

/** So long nothing moves before a zoom is taken as done. */
const STILL_MS = 250;

/** Begin to draw on an element that is in the page. */
export function drawLines(on: HTMLElement, slider: boolean, listeners: LineListeners): DrawnLines {
  const chart = echarts.init(on, null, { renderer: "canvas" });
  let shown: { readonly picture: LinesPicture; range: Range; layout: Layout } | null = null;
  let frame = 0;
  let still: ReturnType<typeof setTimeout> | undefined;

  const show = (picture: LinesPicture, range: Range): void => {
    clearTimeout(still);
    const size = { width: on.clientWidth, height: on.clientHeight };
    if (size.width === 0) return;
    const layout = layoutOf(picture, range, size, slider);
    shown = { picture, range, layout };
    chart.setOption(linesOption(picture, layout, colours(), slider), {
      replaceMerge: ["series", "dataZoom"],
    });
    listeners.onLayout(layout);
  };
  const follow = (): void => {
    if (shown === null) return;
    const size = { width: on.clientWidth, height: on.clientHeight };
    const layout = layoutOf(shown.picture, shown.range, size, slider);
    shown.layout = layout;
    chart.setOption(seenOption(shown.picture, layout, colours()), { replaceMerge: ["series"] });
    listeners.onLayout(layout);
  };
  chart.on("datazoom", (event) => {
    const share = sharesOf(event);
    if (shown === null || share === null) return;
    const { positions } = shown.picture;
    const [from, to] = [(share.start / 100) * positions, (share.end / 100) * positions - 1];
    shown.range = { from, to };
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(follow);
    clearTimeout(still);
    still = setTimeout(() => listeners.onRange(held({ from, to }, positions)), STILL_MS);
  });
  const spotAt = (event: { offsetX: number; offsetY: number }): Spot | null => {
    if (shown === null) return null;
    const { layout, picture } = shown;
    const { offsetX: x, offsetY: y } = event;
    const within = x > layout.left - 10 && x < layout.right + 10 && y > layout.top - 10;
    if (!within || y > layout.bottom + 4) return null;
    return nearest(picture, layout, atOf(layout, x), x, y);
  };
  const surface = chart.getZr();
  surface.on("mousemove", (event) => listeners.onHover(spotAt(event)));
  surface.on("globalout", () => listeners.onHover(null));
  surface.on("click", (event) => {
    const spot = spotAt(event);
    if (spot !== null) listeners.onChoose(spot);
  });
  const size = new ResizeObserver(() => {
    if (
      shown === null ||
      (chart.getWidth() === on.clientWidth && chart.getHeight() === on.clientHeight)
    )
      return;
    chart.resize();
    show(shown.picture, shown.range);
  });
  size.observe(on);
  return {
    show,
    dispose: () => {
      clearTimeout(still);
      cancelAnimationFrame(frame);
      size.disconnect();
      chart.dispose();
    },
  };
}

interface Shares {
  readonly start: number;
  readonly end: number;
}

/** From where to where, in per cent; the events of the slider and of a drag differ in form. */
function sharesOf(event: unknown): Shares | null {
  const { batch, ...self } = event as Partial<Shares> & { readonly batch?: Partial<Shares>[] };
  const { start, end } = batch?.[0] ?? self;
  return typeof start === "number" && typeof end === "number" ? { start, end } : null;
}
