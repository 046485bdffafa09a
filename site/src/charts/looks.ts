/** How lines look: by colour, by dash and by the form of their dots, since colours are not for all. */

export const COLOURS = 8;
const DASHES = ["solid", [7, 4], [2, 3]] as const;
const SYMBOLS = ["circle", "rect", "triangle", "diamond"] as const;

export interface Look {
  /** Which of the palette's colours. */
  readonly colour: number;
  readonly dash: "solid" | number[];
  readonly symbol: (typeof SYMBOLS)[number];
}

/** The look of a line by its number, from 1. Neighbours differ in colour and in form. */
export function lookOf(number: number): Look {
  const at = Math.max(0, number - 1);
  const dash = DASHES[Math.floor(at / 4) % DASHES.length] ?? "solid";
  return {
    colour: at % COLOURS,
    dash: typeof dash === "string" ? dash : [...dash],
    symbol: SYMBOLS[at % SYMBOLS.length] ?? "circle",
  };
}
