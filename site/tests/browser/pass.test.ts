/** One pass over every view, as a reader meets it: drawn, readable, on a phone, in Chinese. */

import { expect } from "vitest";
import { VIEWS } from "../../src/views/views";
import { en } from "../../src/words/en";
import { zh } from "../../src/words/zh";
import { serious } from "./axe";
import { expectChinese, HAN } from "./chinese";
import { drawn, expectFits, expectWhole, PHONE, SLIPS, seen, site, titleOf, WIDE } from "./site";

const dashboard = site();

seen.each(VIEWS)("view $id is drawn, readable, fits a phone and speaks Chinese", async (view) => {
  const { page } = dashboard;
  const language = () => page.getAttribute("html", "lang");
  await dashboard.publish({ runs: 12, cases: 16 });
  await dashboard.open(`#/${view.id}`);
  await drawn(page);
  await expectWhole(dashboard);
  await expectNamed(view.name);
  await expectHeadings();
  expect(await serious(page)).toEqual([]);
  expect(await language()).toBe("en");
  const english = await page.innerText("body");
  expect(english.replace("简体中文", "")).not.toMatch(HAN);

  await page.setViewportSize(PHONE);
  await drawn(page);
  await expectFits(page);

  await page.click("#language");
  await drawn(page);
  await expect.poll(language).toBe("zh-CN");
  expect(await page.title()).toMatch(titleOf(zh[view.name]));
  expect(await page.innerText("body")).not.toMatch(SLIPS);
  await page.setViewportSize(WIDE);
  await drawn(page);
  await expectChinese(page, await dashboard.index());

  await page.reload();
  await drawn(page);
  expect(await language()).toBe("zh-CN");
  await page.click("#language");
  await drawn(page);
  await expect.poll(() => page.innerText("body")).toBe(english);
  expect(await page.title()).toMatch(titleOf(en[view.name]));
  expect(dashboard.complaints).toEqual([]);
});

/** The title and the navigation say which view it is, and no other one has its name. */
async function expectNamed(name: (typeof VIEWS)[number]["name"]): Promise<void> {
  const { page } = dashboard;
  expect(await page.title()).toMatch(titleOf(en[name]));
  const current = await page.locator("nav [aria-current=page]").allTextContents();
  expect(current.at(-1)).toBe(en[name]);
  expect(await page.locator("header nav [aria-current=page]").count()).toBe(1);
  expect(VIEWS.filter((other) => en[other.name] === en[name])).toHaveLength(1);
}

/** One h1, the first of all, and headings that skip no level. */
async function expectHeadings(): Promise<void> {
  const levels = await dashboard.page
    .locator("h1, h2, h3, h4, h5, h6")
    .evaluateAll((all) => all.map((heading) => Number(heading.tagName.slice(1))));
  expect(levels.filter((level) => level === 1)).toHaveLength(1);
  expect(levels[0]).toBe(1);
  expect(levels.filter((level, at) => level > (levels[at - 1] ?? 1) + 1)).toEqual([]);
}
