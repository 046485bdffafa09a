/** Labels that would lie on each other, moved apart. Pure. */

/**
 * Places for labels that want to be at `targets`: in the same order, at least `gap` apart, between
 * `top` and `bottom` as far as there is room.
 */
export function spread(
  targets: readonly number[],
  gap: number,
  top: number,
  bottom: number,
): readonly number[] {
  const order = targets
    .map((_, at) => at)
    .toSorted((a, b) => (targets[a] ?? 0) - (targets[b] ?? 0));
  const positions = targets.slice();
  let least = top;
  for (const at of order) {
    positions[at] = Math.max(positions[at] ?? top, least);
    least = (positions[at] ?? top) + gap;
  }
  let most = bottom;
  for (const at of order.toReversed()) {
    positions[at] = Math.min(positions[at] ?? bottom, most);
    most = (positions[at] ?? bottom) - gap;
  }
  return positions;
}
