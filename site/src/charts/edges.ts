/** Where an axis of values begins and ends. Pure. */

export interface Edges {
  readonly min: number;
  readonly max: number;
  /** From one line of the grid to the next. */
  readonly interval: number;
}

/** Round edges around all values; noise of a per cent must not fill the height. */
export function edges(values: Iterable<number>): Edges {
  const [least, most] = extent(values);
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

// beyond, sums of edges and margins would not be numbers any more
const HUGE = 1e300;

/** The least and the most of all values; the least is no finite number where there are none. */
export function extent(values: Iterable<number>): readonly [least: number, most: number] {
  let least = Number.POSITIVE_INFINITY;
  let most = Number.NEGATIVE_INFINITY;
  for (const value of values) {
    const held = Math.max(-HUGE, Math.min(HUGE, value));
    if (held < least) least = held;
    if (held > most) most = held;
  }
  return [least, most];
}

/** The lines of the grid between edges. */
export function gridLines({ min, max, interval }: Edges): readonly number[] {
  const count = Math.round((max - min) / interval);
  // 3 × 0.1 is not 0.3: a label must not say so
  return Array.from({ length: count + 1 }, (_, at) =>
    Number((min + at * interval).toPrecision(12)),
  );
}

/** The next of 1, 2, 5, 10, … that is not smaller. */
function roundStep(size: number): number {
  const power = 10 ** Math.floor(Math.log10(size));
  return ([1, 2, 5].find((factor) => factor * power >= size) ?? 10) * power;
}
