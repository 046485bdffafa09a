/** Round places for the lines of a grid. Pure. */

/** From zero to the first round number that is not below `most`, in about `count` steps. */
export function linearTicks(most: number, count = 4): readonly number[] {
  if (!(most > 0) || !Number.isFinite(most)) return [0, 1];
  const rough = most / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 2.5, 5].find((factor) => factor * power >= rough) ?? 10) * power;
  const steps = Math.ceil(most / step - 1e-9);
  return Array.from({ length: steps + 1 }, (_, at) => Number((at * step).toPrecision(12)));
}

/** Round numbers around two positive ones: 1, 2, 5, 10, … or powers of ten alone over a wide range. */
export function logTicks(least: number, most: number): readonly number[] {
  if (!(least > 0) || !(most >= least) || !Number.isFinite(most)) return [1, 10];
  const [from, to] = [Math.floor(Math.log10(least)), Math.ceil(Math.log10(most))];
  const digits = to - from > 3 ? [1] : [1, 2, 5];
  const all: number[] = [];
  for (let power = from; power <= to; power += 1) {
    for (const digit of digits) all.push(Number(`${digit}e${power}`));
  }
  const first = all.findLastIndex((tick) => tick <= least);
  const last = all.findIndex((tick) => tick >= most);
  const ticks = all.slice(Math.max(0, first), last < 0 ? undefined : last + 1);
  // where both are one round number, the next one makes it an axis
  return ticks.length > 1 ? ticks : [...ticks, (ticks[0] ?? 1) * 10];
}
