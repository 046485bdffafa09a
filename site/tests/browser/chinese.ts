/** The page in Chinese: nothing is left in English. */

import type { Page } from "playwright-core";
import { expect } from "vitest";
import type { Index } from "../../src/data/contract";
import { ALL_WORDS } from "../words/all_words";
import { SLIPS } from "./site";

export const HAN = /\p{Script=Han}/u;
const KEYS = ALL_WORDS.flatMap(([, both]) =>
  Object.keys(both.en).filter((key) => key.includes(".")),
);

/** Three words or more of English; one or two may be a name. */
const SENTENCE = /[A-Za-z’']{2,}(?:[ ,]+[A-Za-z’']{2,}){2,}/g;

/** English that is left for Chinese readers: sentences that the data do not have. */
async function leftInEnglish(page: Page, index: Index): Promise<readonly string[]> {
  const data = JSON.stringify(index);
  const names = index.cases.flatMap(({ server, model, runtime }) => [server, model, runtime]);
  const anyName = new RegExp(`\\b(${[...new Set(names)].join("|")})\\b`, "gi");
  const texts = await page.evaluate(() => {
    const found: string[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const other = node.parentElement?.closest("code, pre, script, noscript, [lang=en]");
      if (!other) found.push(node.nodeValue ?? "");
    }
    return found;
  });
  const sentences = texts.flatMap((text) => text.replace(anyName, "–").match(SENTENCE) ?? []);
  return [...new Set(sentences)].filter(
    (sentence) => !data.includes(sentence) && !sentence.startsWith("springbench"),
  );
}

/** A page whose words are Chinese, all but those of this history. */
export async function expectChinese(page: Page, index: Index): Promise<void> {
  const chinese = await page.innerText("body");
  expect(chinese).toMatch(HAN);
  expect(KEYS.filter((key) => chinese.includes(key))).toEqual([]);
  expect(chinese).not.toMatch(SLIPS);
  expect(await leftInEnglish(page, index)).toEqual([]);
}
