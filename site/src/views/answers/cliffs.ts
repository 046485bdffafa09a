/** Places of cliffs on the ladder of their question. Pure. */

import type { PublishedAnswer, PublishedCliff } from "../../data/answers";

export interface Span {
  /** From 0 at the least step to 1 at the baseline. */
  readonly from: number;
  readonly to: number;
}

/** A few of its names are enough for an axis. */
const MOST_TICKS = 4;

/** The steps in the order of the ladder, the baseline last. */
function ladder({ en }: PublishedAnswer): readonly string[] {
  return Object.keys(en.steps);
}

function positionOf(steps: readonly string[], step: string): number {
  return Math.max(0, steps.indexOf(step)) / Math.max(1, steps.length - 1);
}

/** Where the cliff lies; null where no step is enough. */
export function cliffSpan(answer: PublishedAnswer, { low, high }: PublishedCliff): Span | null {
  if (high == null) return null;
  const steps = ladder(answer);
  return { from: low == null ? 0 : positionOf(steps, low), to: positionOf(steps, high) };
}

export interface Tick {
  readonly step: string;
  readonly position: number;
}

/** Some steps, evenly along the ladder, with its ends. */
export function ladderTicks(answer: PublishedAnswer): readonly Tick[] {
  const steps = ladder(answer);
  const count = Math.min(MOST_TICKS, steps.length);
  return Array.from({ length: count }, (_, at) => {
    const index = count < 2 ? 0 : Math.round((at * (steps.length - 1)) / (count - 1));
    const step = steps[index] ?? "";
    return { step, position: positionOf(steps, step) };
  });
}
