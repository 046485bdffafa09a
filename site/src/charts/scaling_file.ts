/** A chart over a count as a file of its own, in the colours that are seen now. */

// what draws such charts on the page has told ECharts of the parts that they need
import "./echarts";
import { colours } from "./colours";
import { type Caption, HEAD, rendered, SIZE, titleOf } from "./rendered";
import { type ScalingPicture, scalingOption } from "./scaling_option";

export function scalingFile(
  kind: "png" | "svg",
  picture: ScalingPicture,
  caption: Caption,
): Promise<Blob> {
  const palette = colours();
  const size = { width_px: SIZE.width, height_px: SIZE.height, head_px: HEAD };
  return rendered(kind, {
    ...scalingOption(picture, palette, size),
    backgroundColor: palette.paper,
    title: titleOf(caption, palette),
  });
}
