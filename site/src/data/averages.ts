/** Averages of what several series or variants have, for a row that stands for all of them. Pure. */

/** The median; NaN of nothing. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const [one, other] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]];
  return ((one ?? Number.NaN) + (other ?? Number.NaN)) / 2;
}

/** The geometric mean, as of ratios; NaN of nothing. */
export function geometricMean(values: readonly number[]): number {
  const logs = values.map(Math.log);
  return Math.exp(logs.reduce((sum, log) => sum + log, 0) / values.length);
}
