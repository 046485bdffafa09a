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
  if (Object.hasOwn(en, key)) return say(key as WordKey);
  const at = name.lastIndexOf("-");
  const protocol = `protocol.${name.slice(at + 1)}`;
  if (kind === "workload" && at > 0 && Object.hasOwn(en, protocol)) {
    return `${known(kind, name.slice(0, at), say)} · ${say(protocol as WordKey)}`;
  }
  return oneLine(name.replaceAll("-", " "));
}
