/** Which cases an address asks for: a value for an axis, and words that their names contain. Pure. */

import type { Case } from "./cases";

export const AXES = ["workload", "server", "model", "runtime", "boot", "connections"] as const;
export type Axis = (typeof AXES)[number];

/** The values of each axis that differ between these cases: only there is something to choose. */
export function axisChoices(
  cases: readonly Case[],
): readonly { readonly axis: Axis; readonly values: readonly string[] }[] {
  return AXES.flatMap((axis) => {
    const values = [...new Set(cases.map((measuredCase) => String(measuredCase[axis])))];
    return values.length > 1 ? [{ axis, values: values.toSorted(naturally) }] : [];
  });
}

/** Whether a case is among those asked for, of each axis any of the values named; `more` are other words that its row shows. */
export function fits(
  measuredCase: Case,
  query: URLSearchParams,
  words: string,
  more = "",
): boolean {
  const onAxes = AXES.every((axis) => {
    const values = query.getAll(axis).filter(Boolean);
    return values.length === 0 || values.includes(String(measuredCase[axis]));
  });
  return onAxes && hasWords(`${measuredCase.case} ${more}`, words);
}

/** Whether a text has all typed words, wherever they stand: `virt tom` finds `tomcat virtual`. */
export function hasWords(text: string, typed: string): boolean {
  const low = text.toLowerCase();
  return typed
    .toLowerCase()
    .split(/\s+/)
    .every((word) => low.includes(word));
}

function naturally(a: string, b: string): number {
  return a.localeCompare(b, "en", { numeric: true });
}
