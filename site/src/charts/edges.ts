/** Where the vertical axis of a chart begins and ends. Pure. */

import type { Point } from "../data/points";

interface Edges {
  readonly min: number;
  readonly max: number;
  /** From one line of the grid to the next. */
  readonly interval: number;
}

/** Round edges around all intervals; noise of a per cent must not fill the height. */
export function edges(points: readonly Point[]): Edges {
  const values = points.flatMap(({ median, low, high }) => [median, low, high]);
  const known = values.filter((value) => value !== null);
  const [least, most] = [Math.min(...known), Math.max(...known)];
  if (!Number.isFinite(least)) return { min: 0, max: 1, interval: 0.5 };
  const margin = Math.max((most - least) * 0.1, Math.abs(most) * 0.04) || 0.5;
  const step = roundStep((most - least + 2 * margin) / 4);
  const min = Math.floor((least - margin) / step) * step;
  return {
    min: least >= 0 ? Math.max(0, min) : min,
    max: Math.ceil((most + margin) / step) * step,
    interval: step,
  };
}

/** The next of 1, 2, 5, 10, … that is not smaller. */
function roundStep(size: number): number {
  const power = 10 ** Math.floor(Math.log10(size));
  return ([1, 2, 5].find((each) => each * power >= size) ?? 10) * power;
}
