/** The language of the page is the one of its reader. */

import { expect } from "vitest";
import { drawn, seen, site } from "./site";

const dashboard = site();

seen.each([
  ["zh-CN", "zh-CN"],
  ["zh-TW", "zh-CN"],
  ["en-US", "en"],
  ["de-DE", "en"],
])("a browser in %s sees the page in %s", async (locale, lang) => {
  await dashboard.publish({ runs: 1, cases: 1 });
  const page = await dashboard.newPage({ locale });
  await page.goto(dashboard.url);
  await drawn(page);
  expect(await page.getAttribute("html", "lang")).toBe(lang);
});

seen("trouble is reported in the reader's language too", async () => {
  const page = await dashboard.newPage({ locale: "zh-CN" });
  await page.goto(dashboard.url);
  await page.waitForSelector(".notice");
  expect(await page.textContent(".notice")).toContain("找不到 data/index.json。");
});
