/** What a chart of lines draws beside its lines, layer by layer, for ECharts' custom series. */

import type { CustomSeriesOption } from "echarts/charts";
import { bands } from "./band";
import type { Colours } from "./colours";
import { heldPosition, type Layout, offAxis, xOf, yOf } from "./layout";
import type { Dot, Line, LinesPicture } from "./lines";
import { lookOf } from "./looks";
import { outline } from "./mark_shapes";
import { spread } from "./spread";
import { firstFrom } from "./thinned";
import type { Vertical } from "./vertical";

/** From a place and a place on the vertical axis to a pixel. */
type Pixel = (at: number, height: number) => readonly [x: number, y: number];

const segment = (x1: number, y1: number, x2: number, y2: number, style: object) => ({
  type: "line" as const,
  shape: { x1, y1, x2, y2 },
  style,
});
const polygon = (points: [number, number][], style: object) => ({
  type: "polygon" as const,
  shape: { points },
  style,
});
const words = (x: number, y: number, text: string, style: object) => ({
  type: "text" as const,
  x,
  y,
  style: { text, ...style },
});
type Drawn = ReturnType<typeof segment> | ReturnType<typeof polygon> | ReturnType<typeof words>;

/** One layer; `draw` says what is on it, whenever ECharts moves its axes. */
function layer(
  id: string,
  z: number,
  clip: boolean,
  draw: (pixel: Pixel) => Drawn[],
): CustomSeriesOption {
  return {
    id,
    type: "custom",
    silent: true,
    z,
    clip,
    data: [[0, 0]],
    renderItem: (_, api) => ({
      type: "group" as const,
      // what is not drawn any more must go
      $mergeChildren: false as const,
      children: draw((at, height) => {
        const [x = 0, y = 0] = api.coord([at, height]);
        return [x, y];
      }),
    }),
  };
}

export function colourOf(line: Line, palette: Colours): string {
  return palette.series[lookOf(line.number).colour] ?? palette.ink;
}

/** The dots of a line that are seen. */
export type Seen = readonly (readonly [line: Line, dots: readonly Dot[]])[];

/** Intervals as bars while they are few, else as an area. */
export function intervalLayer(seen: Seen, layout: Layout, bars: boolean, palette: Colours) {
  const { vertical } = layout;
  const column = (layout.seen.to - layout.seen.from + 1) / (layout.right - layout.left);
  return layer("intervals", 1, true, (pixel) =>
    seen.flatMap(([line, dots]): Drawn[] => {
      const colour = colourOf(line, palette);
      const y = (at: number, value: number) => pixel(at, heldPosition(vertical, value));
      if (bars) {
        return dots.flatMap(({ at, low, high }) =>
          low === null || high === null ? [] : bar(y(at, low), y(at, high), colour),
        );
      }
      return bands(dots, column).map((slices) =>
        polygon(
          [
            ...slices.map(({ at, high }) => [...y(at, high)] as [number, number]),
            ...slices.toReversed().map(({ at, low }) => [...y(at, low)] as [number, number]),
          ],
          { fill: colour, opacity: 0.16 },
        ),
      );
    }),
  );
}

function bar(low: readonly [number, number], high: readonly [number, number], stroke: string) {
  const style = { stroke, lineWidth: 1.25, opacity: 0.55 };
  const [x, bottom] = low;
  const [, top] = high;
  return [
    segment(x, bottom, x, top, style),
    segment(x - 3, bottom, x + 3, bottom, style),
    segment(x - 3, top, x + 3, top, style),
  ];
}

/** A cross at the foot for each failure, an arrow at the edge for what is off the axis. */
export function edgeLayer(seen: Seen, { vertical }: Layout, palette: Colours) {
  return layer("edges", 4, true, (pixel) =>
    seen.flatMap(([line, dots]) => {
      const fill = colourOf(line, palette);
      return dots.flatMap((dot) => edgeSign(dot, vertical, pixel, fill) ?? []);
    }),
  );
}

function edgeSign({ at, value, failed }: Dot, vertical: Vertical, pixel: Pixel, fill: string) {
  if (failed) return cross(pixel(at, vertical.min), fill);
  const side = value === null ? 0 : offAxis(vertical, value);
  return side === 0 ? null : arrow(pixel(at, side > 0 ? vertical.max : vertical.min), side, fill);
}

function cross([x, y]: readonly [number, number], fill: string) {
  return words(x, y - 3, "×", { fill, fontSize: 15, align: "center", verticalAlign: "bottom" });
}

/** Points up from the upper edge, down from the lower one. */
function arrow([x, y]: readonly [number, number], side: 1 | -1, fill: string) {
  const foot = y + side * 11;
  return polygon(
    [
      [x, y + side],
      [x + 5, foot],
      [x - 5, foot],
    ],
    { fill },
  );
}

/** Marks of what happened, above their dots. */
export function markLayer({ lines, marks }: LinesPicture, { vertical }: Layout, palette: Colours) {
  return layer("marks", 6, false, (pixel) =>
    marks.flatMap(({ line: id, at, shape, bad }) => {
      const dots = lines.find((line) => line.id === id)?.dots ?? [];
      const value = dots[firstFrom(dots, at)]?.value ?? null;
      if (value === null) return [];
      const [x, y] = pixel(at, heldPosition(vertical, value));
      const { corners, hollow } = outline(shape, x, Math.max(y - 15, 9), 12);
      const stroke = bad ? palette.bad : palette.accent;
      return [polygon(corners, { fill: hollow ? palette.paper : stroke, stroke, lineWidth: 1.75 })];
    }),
  );
}

const MOST_LETTERS = 34;

/** What changed for all lines: a line from top to bottom, and what it was as far as there is room. */
export function environmentChangeLayer(
  { environmentChanges }: LinesPicture,
  layout: Layout,
  palette: Colours,
) {
  return layer("environmentChanges", 0, false, () => {
    let free = Number.NEGATIVE_INFINITY;
    return environmentChanges.flatMap((environmentChange) => {
      const x = xOf(layout, environmentChange.at - 0.5);
      if (x < layout.left || x > layout.right) return [];
      const style = { stroke: palette.quiet, lineWidth: 1, lineDash: [3, 3], opacity: 0.8 };
      const drawn: Drawn[] = [segment(x, layout.top - 6, x, layout.bottom, style)];
      const text = shortened(environmentChange.words);
      const width = text.length * 5.6;
      const begin = Math.min(x, layout.width - width - 4);
      if (begin < free) return drawn;
      free = begin + width + 10;
      const font = { fill: palette.quiet, fontSize: 11, verticalAlign: "bottom" };
      return [...drawn, words(begin, layout.top - 8, text, font)];
    });
  });
}

function shortened(text: string): string {
  return text.length > MOST_LETTERS ? `${text.slice(0, MOST_LETTERS - 1)}…` : text;
}

/** The name of each line at its end, or its number where there is no room. */
export function nameLayer({ lines }: LinesPicture, layout: Layout, palette: Colours) {
  const ends = lines.flatMap((line) => {
    const value = lastValue(line, layout);
    return value === null ? [] : [{ line, y: yOf(layout, value) }];
  });
  const labelYs = spread(
    ends.map(({ y }) => y),
    15,
    layout.top,
    layout.bottom,
  );
  return layer("names", 5, false, () =>
    ends.flatMap(({ line, y }, at) => {
      const [x, labelY] = [layout.right, labelYs[at] ?? y];
      const colour = colourOf(line, palette);
      const text = layout.named ? line.name : String(line.number);
      const room = layout.width - x - 14;
      const font = { fill: colour, fontSize: 12, verticalAlign: "middle", width: room };
      return [
        segment(x + 2, y, x + 9, labelY, { stroke: colour, lineWidth: 1 }),
        words(x + 12, labelY, text, { ...font, overflow: "truncate" }),
      ];
    }),
  );
}

function lastValue({ dots }: Line, { seen }: Layout): number | null {
  for (let at = firstFrom(dots, seen.to, true) - 1; at >= 0; at -= 1) {
    const dot = dots[at];
    if (dot === undefined || dot.at < seen.from) return null;
    if (dot.value !== null) return dot.value;
  }
  return null;
}
