/** The parts of ECharts that small charts of lines need, as one piece that loads when one is drawn. */

import { LineChart } from "echarts/charts";
import { GridComponent, TooltipComponent } from "echarts/components";
import * as echarts from "echarts/core";
import { LabelLayout } from "echarts/features";
import { CanvasRenderer } from "echarts/renderers";

echarts.use([LineChart, GridComponent, TooltipComponent, LabelLayout, CanvasRenderer]);

export type Chart = echarts.ECharts;

/** A chart on an element that is in the page. */
export function begin(on: HTMLElement): Chart {
  return echarts.init(on, null, { renderer: "canvas" });
}
