/** Why a run is to be read with care, in words. */

import { en, type WordKey } from "../words/en";
import { oneLine } from "../words/format";
import type { Say } from "../words/words";

/** The marks of runs; one that this page does not know keeps its own name. */
export function markWords(marks: readonly string[], say: Say): string {
  return marks.map((mark) => known("mark", mark, say)).join(", ");
}

/** What limits a number; a word that this page does not know is shown as it is. */
export function bottleneckWords(bottleneck: string | null, say: Say): string {
  return bottleneck === null ? "" : known("bottleneck", bottleneck, say);
}

/** A name of the data in the page's words. */
export function known(kind: string, name: string, say: Say): string {
  const key = `${kind}.${name}`;
  return Object.hasOwn(en, key) ? say(key as WordKey) : oneLine(name.replaceAll("-", " "));
}
