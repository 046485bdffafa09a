/** The page's colours as the style sheet has them now, for what is drawn on a canvas. */

import { COLOURS } from "./looks";

export interface Colours {
  readonly ink: string;
  readonly quiet: string;
  readonly line: string;
  readonly paper: string;
  readonly accent: string;
  readonly band: string;
  readonly bad: string;
  /** Of lines beside each other: see looks.ts. */
  readonly series: readonly string[];
}

/** The colours in force: light or dark. */
export function colours(): Colours {
  const style = getComputedStyle(document.documentElement);
  const read = (name: string): string => style.getPropertyValue(`--${name}`).trim();
  return {
    ink: read("ink"),
    quiet: read("quiet"),
    line: read("line"),
    paper: read("paper"),
    accent: read("accent"),
    band: read("band"),
    bad: read("bad-ink"),
    series: Array.from({ length: COLOURS }, (_, at) => read(`series-${at + 1}`)),
  };
}
