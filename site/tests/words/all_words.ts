/** All words of the page: the shared ones and those of each view, found by their files. */

import { en } from "../../src/words/en";
import type { WordsOf } from "../../src/words/words";
import { zh } from "../../src/words/zh";

type Both = WordsOf<string>;

const modules = import.meta.glob<Readonly<Record<string, unknown>>>(
  ["../../src/**/words.ts", "!../../src/words/words.ts"],
  { eager: true },
);

function areWords(value: unknown): value is Both {
  return typeof value === "object" && value !== null && "en" in value && "zh" in value;
}

/** The words by where they are from: `shared`, `views/overview`. */
export const ALL_WORDS: readonly (readonly [from: string, both: Both])[] = [
  ["shared", { en, zh }],
  ...Object.entries(modules).flatMap(([path, exported]) =>
    Object.values(exported)
      .filter(areWords)
      .map((both) => [path.replace(/^.*\/src\/|\/words\.ts$/g, ""), both] as const),
  ),
];
