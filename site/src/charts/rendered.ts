/** Any chart as PNG or SVG, with a title that says what it shows. */

import { TitleComponent } from "echarts/components";
import type { EChartsCoreOption } from "echarts/core";
import * as echarts from "echarts/core";
import { CanvasRenderer, SVGRenderer } from "echarts/renderers";
import { type Colours, colours } from "./colours";

echarts.use([TitleComponent, CanvasRenderer, SVGRenderer]);

export interface Caption {
  readonly title: string;
  readonly subtitle: string;
}

/** Of a picture, in pixels. */
export const SIZE = { width: 1200, height: 620 };
/** So much of it is the title's. */
export const HEAD = 62;

/** The picture of an option. Throws an Error where the browser makes none. */
export async function rendered(
  kind: "png" | "svg",
  option: EChartsCoreOption,
  size = SIZE,
): Promise<Blob> {
  if (kind === "svg") {
    const chart = echarts.init(null, null, { renderer: "svg", ssr: true, ...size });
    chart.setOption(option);
    const text = chart.renderToSVGString();
    chart.dispose();
    return new Blob([text], { type: "image/svg+xml" });
  }
  const chart = echarts.init(document.createElement("div"), null, { renderer: "canvas", ...size });
  chart.setOption(option);
  const canvas = chart.renderToCanvas({ pixelRatio: 2, backgroundColor: colours().paper });
  const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, "image/png"));
  chart.dispose();
  if (blob === null) throw new Error("this browser makes no PNG of a canvas");
  return blob;
}

export function titleOf({ title, subtitle }: Caption, palette: Colours) {
  return {
    text: title,
    subtext: subtitle,
    left: 12,
    top: 8,
    textStyle: { color: palette.ink, fontSize: 17 },
    subtextStyle: { color: palette.quiet, fontSize: 12 },
  };
}
