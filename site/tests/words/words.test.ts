import { describe, expect, test } from "vitest";
import { VIEWS } from "../../src/views/views";
import { filled } from "../../src/words/words";
import { ALL_WORDS } from "./all_words";

test("every view has words of its own", () => {
  const from = ALL_WORDS.map(([where]) => where);
  expect(from).toEqual(expect.arrayContaining(VIEWS.map(({ id }) => `views/${id}`)));
});

/** The names in `{}` of a text, each as often as it stands there. */
function placeholders(text: string): readonly string[] {
  return [...text.matchAll(/\{([^}]*)\}/g)].map(([, name = ""]) => name).toSorted();
}

// what a Chinese engineer writes in Latin letters too, beside abbreviations
const NAMES = /\b(Spring Boot|GraalVM|[A-Z][a-z]*[A-Z]\w*|[A-Z0-9]+s?|p\d+|fork|wrk)\b/g;

describe.each(ALL_WORDS)("words of %s", (_, { en, zh }) => {
  const keys = Object.keys(en);

  test("both languages have the same keys, in the same order", () => {
    expect(Object.keys(zh)).toEqual(keys);
  });

  test("no text is empty or has blanks at its ends", () => {
    for (const text of [...Object.values(en), ...Object.values(zh)]) {
      expect(text).not.toBe("");
      expect(text).toBe(text.trim());
    }
  });

  test("both languages have the same names to fill in, and no brace is left over", () => {
    for (const key of keys) {
      const [one = "", other = ""] = [en[key], zh[key]];
      expect([...new Set(placeholders(other))], key).toEqual([...new Set(placeholders(one))]);
      for (const text of [one, other]) {
        expect(placeholders(text).every((name) => /^\w+$/.test(name))).toBe(true);
        expect(text.replace(/\{\w+\}/g, "")).not.toMatch(/[{}]/);
      }
    }
  });

  test("what has words in English has Chinese ones", () => {
    const missing = keys.filter((key) => {
      const words = (zh[key] ?? "").replace(/\{\w+\}/g, "").replace(NAMES, "");
      return /[a-z]{2}/i.test(words) && !/\p{Script=Han}/u.test(words);
    });
    expect(missing).toEqual([]);
  });
});

test("a name that is not given stays, and a value is no template", () => {
  expect(filled("{a} and {b}", { a: 1 })).toBe("1 and {b}");
  expect(filled("{a} {b}", { a: "{b}", b: "$&" })).toBe("{b} $&");
  expect(filled("{constructor}", {})).toBe("{constructor}");
});
