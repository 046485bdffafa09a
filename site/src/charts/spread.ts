/** Labels that would lie on each other, moved apart. Pure. */

/**
 * Places for labels that want to be at `wanted`: in the same order, at least `gap` apart, between
 * `top` and `bottom` as far as there is room.
 */
export function spread(
  wanted: readonly number[],
  gap: number,
  top: number,
  bottom: number,
): readonly number[] {
  const order = wanted.map((_, at) => at).toSorted((a, b) => (wanted[a] ?? 0) - (wanted[b] ?? 0));
  const placed = wanted.slice();
  let least = top;
  for (const at of order) {
    placed[at] = Math.max(placed[at] ?? top, least);
    least = (placed[at] ?? top) + gap;
  }
  let most = bottom;
  for (const at of order.toReversed()) {
    placed[at] = Math.min(placed[at] ?? bottom, most);
    most = (placed[at] ?? bottom) - gap;
  }
  return placed;
}
