/** What limits a point, as a shape: one for ECharts, and the same as a letter. Pure. */

interface Shape {
  readonly symbol: string;
  readonly letter: string;
}

const SHAPES: Readonly<Record<string, Shape>> = {
  latency: { symbol: "circle", letter: "●" },
  "thread-cap": { symbol: "rect", letter: "■" },
  "server-cpu": { symbol: "triangle", letter: "▲" },
  memory: { symbol: "diamond", letter: "◆" },
};
const OTHER: Shape = { symbol: "emptyCircle", letter: "○" };

/** The shape of a bound; all that have none of their own share a hollow one. */
export function shapeOf(bottleneck: string | null): Shape {
  return (
    (bottleneck !== null && Object.hasOwn(SHAPES, bottleneck) ? SHAPES[bottleneck] : undefined) ??
    OTHER
  );
}
