/** A chart as a file of its own, with the words that say what it shows. */

// what draws lines on the page has told ECharts of the parts that lines need
import "./draw_lines";
import { colours } from "./colours";
import { layoutOf } from "./layout";
import type { LinesPicture, Range } from "./lines";
import { type LinesOption, linesOption } from "./lines_option";
import { type Caption, HEAD, rendered, SIZE, titleOf } from "./rendered";

/** The chart as PNG or SVG, in the colours that are seen now. */
export async function pictureFile(
  kind: "png" | "svg",
  picture: LinesPicture,
  range: Range,
  caption: Caption,
): Promise<Blob> {
  return rendered(kind, captioned(picture, range, caption), SIZE);
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
    title: titleOf(caption, palette),
  };
}
