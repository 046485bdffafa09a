/** Values by a key, in the order in which keys appear first. */
export function grouped<T, K>(values: Iterable<T>, keyOf: (value: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const value of values) {
    const key = keyOf(value);
    const same = groups.get(key);
    if (same) same.push(value);
    else groups.set(key, [value]);
  }
  return groups;
}
