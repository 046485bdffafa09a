/** A chart as a file of its own, with the words that say what it shows. */

import * as echarts from "echarts/core";
import { SVGRenderer } from "echarts/renderers";
// what draws lines on the page has told ECharts of the parts that lines need
import "./draw_lines";
import { colours } from "./colours";
import { layoutOf } from "./layout";
import type { LinesPicture, Range } from "./lines";
import { type LinesOption, linesOption } from "./lines_option";

echarts.use([SVGRenderer]);

export interface Caption {
  readonly title: string;
  readonly subtitle: string;
}

const SIZE = { width: 1200, height: 620 };
const HEAD = 62;

/** The chart as PNG or SVG, in the colours that are seen now. */
export async function pictureFile(
  kind: "png" | "svg",
  picture: LinesPicture,
  range: Range,
  caption: Caption,
): Promise<Blob> {
  const option = captioned(picture, range, caption);
  if (kind === "svg") {
    const chart = echarts.init(null, null, { renderer: "svg", ssr: true, ...SIZE });
    chart.setOption(option);
    const text = chart.renderToSVGString();
    chart.dispose();
    return new Blob([text], { type: "image/svg+xml" });
  }
  const chart = echarts.init(document.createElement("div"), null, { renderer: "canvas", ...SIZE });
  chart.setOption(option);
  const canvas = chart.renderToCanvas({ pixelRatio: 2, backgroundColor: colours().paper });
  const made = await new Promise<Blob | null>((done) => canvas.toBlob(done, "image/png"));
  chart.dispose();
  if (made === null) throw new Error("this browser makes no PNG of a canvas");
  return made;
}

function captioned(picture: LinesPicture, range: Range, caption: Caption): LinesOption {
  const palette = colours();
  const below = layoutOf(picture, range, { ...SIZE, height: SIZE.height - HEAD }, false);
  const layout = {
    ...below,
    top: below.top + HEAD,
    bottom: below.bottom + HEAD,
    height: SIZE.height,
  };
  return {
    ...linesOption(picture, layout, palette, false),
    backgroundColor: palette.paper,
    title: {
      text: caption.title,
      subtext: caption.subtitle,
      left: 12,
      top: 8,
      textStyle: { color: palette.ink, fontSize: 17 },
      subtextStyle: { color: palette.quiet, fontSize: 12 },
    },
  };
}
