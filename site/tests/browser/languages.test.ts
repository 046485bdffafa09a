/** The page in both languages: nothing is left in the other one. */

import { readFile } from "node:fs/promises";
import { expect } from "vitest";
import type { Index } from "../../src/data/contract";
import { VIEWS } from "../../src/views/views";
import { en } from "../../src/words/en";
import { zh } from "../../src/words/zh";
import { ALL_WORDS } from "../words/all_words";
import { drawn, SLIPS, seen, site, titleOf } from "./site";

const here = site();
const HAN = /\p{Script=Han}/u;
const KEYS = ALL_WORDS.flatMap(([, both]) =>
  Object.keys(both.en).filter((key) => key.includes(".")),
);

/** Three words or more of English; one or two may be a name. */
const SENTENCE = /[A-Za-z’']{2,}(?:[ ,]+[A-Za-z’']{2,}){2,}/g;

/** English that is left for Chinese readers: sentences that the data do not have. */
async function leftInEnglish(data: string): Promise<readonly string[]> {
  const { cases } = JSON.parse(data) as Index;
  const names = cases.flatMap(({ server, model, runtime }) => [server, model, runtime]);
  const anyName = new RegExp(`\\b(${[...new Set(names)].join("|")})\\b`, "gi");
  const texts = await here.page.evaluate(() => {
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
    (each) => !data.includes(each) && !each.startsWith("springbench"),
  );
}

seen.each(VIEWS)("view $id is all Chinese after the switch, then English again", async (view) => {
  const { page } = here;
  await here.publish({ runs: 12, cases: 16 });
  const data = await readFile(here.file("index.json"), "utf8");
  await here.open(`#/${view.id}`);
  await drawn(page);
  expect(await page.getAttribute("html", "lang")).toBe("en");
  const english = await page.innerText("body");
  expect(english.replace("简体中文", "")).not.toMatch(HAN);

  await page.click("#language");
  await drawn(page);
  await expect.poll(() => page.getAttribute("html", "lang")).toBe("zh-CN");
  expect(await page.title()).toMatch(titleOf(zh[view.name]));
  const chinese = await page.innerText("body");
  expect(chinese).toMatch(HAN);
  expect(KEYS.filter((key) => chinese.includes(key))).toEqual([]);
  expect(chinese).not.toMatch(SLIPS);
  expect(await leftInEnglish(data)).toEqual([]);

  await page.reload();
  await drawn(page);
  expect(await page.getAttribute("html", "lang")).toBe("zh-CN");
  await page.click("#language");
  await drawn(page);
  await expect.poll(() => page.innerText("body")).toBe(english);
  expect(await page.title()).toMatch(titleOf(en[view.name]));
  expect(here.complaints).toEqual([]);
});

seen.each([
  ["zh-CN", "zh-CN"],
  ["zh-TW", "zh-CN"],
  ["en-US", "en"],
  ["de-DE", "en"],
])("a browser in %s sees the page in %s", async (locale, lang) => {
  await here.publish({ runs: 1, cases: 1 });
  const page = await here.newPage({ locale });
  await page.goto(here.url);
  await drawn(page);
  expect(await page.getAttribute("html", "lang")).toBe(lang);
});

seen("trouble is reported in the reader's language too", async () => {
  const page = await here.newPage({ locale: "zh-CN" });
  await page.goto(here.url);
  await page.waitForSelector(".notice");
  expect(await page.textContent(".notice")).toContain("找不到 data/index.json。");
});
