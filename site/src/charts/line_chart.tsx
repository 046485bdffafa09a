/** Lines over commits, read by mouse, finger or keyboard. ECharts comes when the first is drawn. */

import "./line_chart.css";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { useApp } from "../app/context";
import { Problem } from "../data/load";
import { Notice } from "../parts/notice";
import type { DrawnLines } from "./draw_lines";
import { type Layout, xOf, yOf } from "./layout";
import type { Dot, LinesPicture, Range, Spot } from "./lines";
import { lookOf } from "./looks";
import { stepped } from "./nearest";
import { firstFrom } from "./thinned";
import { showing, zoomed } from "./zoom";

interface Props {
  readonly picture: LinesPicture;
  readonly range: Range;
  readonly onRange: (range: Range) => void;
  /** The dot whose words are shown beside the chart; null where another chart has it. */
  readonly chosen: Spot | null;
  readonly onChoose: (spot: Spot) => void;
  /** What the chart shows, for those who do not see it. */
  readonly label: string;
  /** A dot in a few words. */
  readonly describe: (spot: Spot) => string;
  readonly slider?: boolean;
}

export function LineChart(props: Props) {
  const { picture, chosen, label, describe, slider = true } = props;
  const { theme } = useApp();
  const [layout, setLayout] = useState<Layout | null>(null);
  const [hovered, setHovered] = useState<Spot | null>(null);
  const { canvas, problem } = useDrawn(props, slider, theme, setLayout, setHovered);
  const spots = useMemo(() => new Map(picture.lines.map((line) => [line.id, line])), [picture]);
  const dotOf = (spot: Spot) => {
    const line = spots.get(spot.line);
    const dot = line?.dots[firstFrom(line.dots, spot.at)];
    return line && dot?.at === spot.at ? { line, dot } : null;
  };
  if (problem !== null) return <CodeNotice problem={problem} />;
  const chosenDot = chosen === null ? null : dotOf(chosen);
  return (
    <div class="line-chart">
      <div
        class="chart"
        ref={canvas}
        tabIndex={0}
        role="slider"
        aria-orientation="horizontal"
        aria-label={label}
        aria-valuemin={1}
        aria-valuemax={Math.max(1, picture.positions)}
        aria-valuenow={(chosen?.at ?? 0) + 1}
        aria-valuetext={chosen === null ? "" : describe(chosen)}
        onKeyDown={(event) => onKey(event, props)}
      />
      {layout && chosenDot && <Pin layout={layout} {...chosenDot} />}
      {layout && hovered && <Hover layout={layout} at={dotOf(hovered)} words={describe(hovered)} />}
    </div>
  );
}

/** A key zooms, moves what is seen, or goes to another dot. */
function onKey(event: KeyboardEvent, { picture, range, chosen, onRange, onChoose }: Props): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const at = chosen ?? lastSpot(picture);
  const next = zoomed(event.key, event.shiftKey, range, picture.positions, at.at);
  const spot = next === null ? stepped(picture.lines, at, event.key) : null;
  if (next === null && spot === null) return;
  event.preventDefault();
  if (next !== null) onRange(next);
  if (spot === null) return;
  onChoose(spot);
  const visibleRange = showing(range, spot.at, picture.positions);
  if (visibleRange !== range) onRange(visibleRange);
}

function lastSpot({ lines }: LinesPicture): Spot {
  const line = lines.find(({ dots }) => dots.length > 0);
  return { line: line?.id ?? "", at: line?.dots.at(-1)?.at ?? 0 };
}

function CodeNotice({ problem }: { readonly problem: unknown }) {
  const { say } = useApp();
  return <Notice problem={problem} say={say} />;
}

/** The chart on its element, drawn anew when what it shows has changed. */
function useDrawn(
  props: Props,
  slider: boolean,
  theme: string,
  onLayout: (layout: Layout) => void,
  onHover: (spot: Spot | null) => void,
) {
  const canvas = useRef<HTMLDivElement>(null);
  const drawn = useRef<DrawnLines | null>(null);
  const now = useRef(props);
  const [problem, setProblem] = useState<Problem | null>(null);
  now.current = props;
  const { picture, range } = props;
  useEffect(() => {
    let active = true;
    const begin = async () => {
      const { drawLines } = await import("./draw_lines");
      if (!active || canvas.current === null) return;
      drawn.current = drawLines(canvas.current, slider, {
        onLayout,
        onHover,
        onRange: (next) => now.current.onRange(next),
        onChoose: (spot) => now.current.onChoose(spot),
      });
      drawn.current.show(now.current.picture, now.current.range);
    };
    begin().catch(() => active && setProblem(new Problem("problem.code", {})));
    return () => {
      active = false;
      drawn.current?.dispose();
      drawn.current = null;
    };
  }, [slider]);
  useEffect(() => {
    onHover(null);
    drawn.current?.show(picture, range);
  }, [picture, range.from, range.to, theme]);
  return { canvas, problem };
}

interface At {
  readonly line: { readonly number: number };
  readonly dot: Dot;
}

/** The chosen dot: a line from top to bottom, and a ring where there is a value. */
function Pin({ layout, line, dot }: At & { readonly layout: Layout }) {
  const x = xOf(layout, dot.at);
  if (x < layout.left - 1 || x > layout.right + 1) return null;
  return (
    <svg class={`pin series-${lookOf(line.number).colour + 1}`} aria-hidden="true">
      <line x1={x} x2={x} y1={layout.top} y2={layout.bottom} />
      {dot.value !== null && <circle cx={x} cy={yOf(layout, dot.value)} r="6.5" />}
    </svg>
  );
}

interface HoverProps {
  readonly layout: Layout;
  readonly at: At | null;
  readonly words: string;
}

function Hover({ layout, at, words }: HoverProps) {
  if (at === null) return null;
  const x = xOf(layout, at.dot.at);
  const y = at.dot.value === null ? layout.bottom : yOf(layout, at.dot.value);
  const side = x > layout.width / 2 ? { right: layout.width - x + 10 } : { left: x + 10 };
  return (
    <>
      <div class="spot" style={{ left: x, top: y }} />
      <div class="hover" aria-hidden="true" style={{ ...side, top: Math.max(0, y - 44) }}>
        {words}
      </div>
    </>
  );
}
