/** One pass over every view, as a reader meets it: drawn, readable, on a phone, in Chinese. */

import { expect } from "vitest";
import { VIEWS } from "../../src/views/views";
import { zh } from "../../src/words/zh";
import { serious } from "./axe";
import { drawn, expectWhole, SLIPS, seen, site, titleOf } from "./site";

const here = site();

seen.each(VIEWS)("view $id is drawn, readable, fits a phone and speaks Chinese", async (view) => {
  const { page } = here;
  await here.publish({ runs: 12, cases: 16 });
  await here.open(`#/${view.id}`);
  await drawn(page);
  await expectWhole(here);
  expect(await serious(page)).toEqual([]);

  await page.setViewportSize({ width: 390, height: 844 });
  await drawn(page);
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(width).toBeLessThanOrEqual(390);

  await page.click("#language");
  await drawn(page);
  await expect.poll(() => page.getAttribute("html", "lang")).toBe("zh-CN");
  expect(await page.title()).toMatch(titleOf(zh[view.name]));
  expect(await page.innerText("body")).not.toMatch(SLIPS);
  expect(here.complaints).toEqual([]);
});
