/** Which values are so far from all others that they would erase them. Pure. */

import { extent } from "./edges";
import type { Line } from "./lines";

export interface Bounds {
  readonly low: number;
  readonly high: number;
}

/** A value is off where it is further from the bulk than so many times its width, or its size. */
const FAR = 3;
/** Of few values none is known to be the odd one: only what is out of all proportion is off. */
const FAR_OF_FEW = 100;
const FEW = 5;
/** The same for an axis of logarithms: so many times as much. */
const FAR_LOG = 100;

/**
 * What an axis has room for: around the bulk (5 % to 95 %) of each line. A step to a half or to
 * nothing is well inside; a value of 1e308 is not.
 */
export function usual(lines: readonly Line[], log: boolean): Bounds {
  const lineBounds = lines.flatMap((line) => {
    const values = line.dots.flatMap(({ value }) => value ?? []);
    return values.length > 0 ? [boundsOf(values, log)] : [];
  });
  const [low] = extent(lineBounds.map((bounds) => bounds.low));
  const [, high] = extent(lineBounds.map((bounds) => bounds.high));
  return { low, high };
}

function boundsOf(values: readonly number[], log: boolean): Bounds {
  const [low, high] = bulk(values);
  if (log && low > 0) return { low: low / FAR_LOG, high: high * FAR_LOG };
  const far = values.length < FEW ? FAR_OF_FEW : FAR;
  const room = far * Math.max(high - low, Math.abs(high) / 2);
  return { low: low - room, high: high + room };
}

/** From the 5 % to the 95 % quantile; of few values the largest alone is not part of it. */
function bulk(values: readonly number[]): readonly [low: number, high: number] {
  const sorted = Float64Array.from(values).sort();
  const last = sorted.length - 1;
  const high = sorted[Math.floor(last * 0.95)] ?? 0;
  const low = sorted[Math.ceil(last * 0.05)] ?? high;
  return [Math.min(low, high), high];
}
