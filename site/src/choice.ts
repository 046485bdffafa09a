/** Which series is drawn, and the address that says so: `#case=…&how=…&metric=…&host=…`. */

export interface Choice {
  readonly case: string;
  /** The conditions in which the case was measured. */
  readonly how: string;
  readonly metric: string;
  /** The host class: hosts whose results may be compared. */
  readonly host: string;
}

/** What an address asks for; parts may be missing or unknown to the data. */
export function readChoice(hash: string): Partial<Choice> {
  const asked = new URLSearchParams(hash.replace(/^#/, ""));
  const entries = ["case", "how", "metric", "host"].flatMap((key) => {
    const value = asked.get(key);
    return value ? [[key, value]] : [];
  });
  return Object.fromEntries(entries);
}

/** The fragment of an address that leads to this choice again. */
export function choiceHash(choice: Choice): string {
  // a case id has slashes, which a fragment may carry as they are
  const asked = new URLSearchParams({ ...choice });
  return `#${asked.toString().replaceAll("%2F", "/")}`;
}
