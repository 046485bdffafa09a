/** Which dot is meant: by a pointer, or by a key. Pure. */

import { type Layout, xOf, yOf } from "./layout";
import type { Dot, Line, LinesPicture, Spot } from "./lines";
import { firstFrom } from "./thinned";

/** The dot closest to a pixel; null where no line has any that is seen. */
export function nearest(
  { lines }: LinesPicture,
  layout: Layout,
  at: number,
  x: number,
  y: number,
): Spot | null {
  let best: Spot | null = null;
  let least = Number.POSITIVE_INFINITY;
  for (const line of lines) {
    const dot = closestDot(line.dots, at);
    if (dot === undefined || outside(dot, layout)) continue;
    const height = dot.value === null ? layout.bottom : yOf(layout, dot.value);
    // sideways counts more: a reader points at a commit first
    const far = Math.hypot((xOf(layout, dot.at) - x) * 2, height - y);
    if (far < least) [least, best] = [far, { line: line.id, at: dot.at }];
  }
  return best;
}

function outside({ at }: Dot, { seen }: Layout): boolean {
  return at < seen.from - 0.5 || at > seen.to + 0.5;
}

function closestDot(dots: readonly Dot[], at: number): Dot | undefined {
  const after = firstFrom(dots, at);
  const [one, other] = [dots[after - 1], dots[after]];
  if (one === undefined || other === undefined) return one ?? other;
  return at - one.at <= other.at - at ? one : other;
}

const STEPS: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowRight: 1,
  PageUp: -10,
  PageDown: 10,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
};

/** The dot that a key leads to from another; null for a key that leads nowhere. */
export function stepped(lines: readonly Line[], from: Spot, key: string): Spot | null {
  const at = lines.findIndex(({ id }) => id === from.line);
  const line = lines[at];
  if (line === undefined) return null;
  if (key === "ArrowUp" || key === "ArrowDown") {
    const next = lines[at + (key === "ArrowUp" ? -1 : 1)];
    const dot = next && closestDot(next.dots, from.at);
    return next && dot ? { line: next.id, at: dot.at } : null;
  }
  const step = Object.hasOwn(STEPS, key) ? STEPS[key] : undefined;
  if (step === undefined) return null;
  const now = firstFrom(line.dots, from.at);
  const dot = line.dots[Math.max(0, Math.min(line.dots.length - 1, now + step))];
  return dot ? { line: line.id, at: dot.at } : null;
}
