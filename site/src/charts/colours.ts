/** The page's colours as the style sheet has them now, for what is drawn on a canvas. */
export interface Colours {
  readonly ink: string;
  readonly quiet: string;
  readonly line: string;
  readonly paper: string;
  readonly accent: string;
  readonly band: string;
  readonly bad: string;
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
  };
}
