/** Small and large: phones, and histories of ten thousand runs. */

import { expect } from "vitest";
import { VIEWS } from "../../src/views/views";
import { drawn, expectWhole, seen, site, withoutMissing } from "./site";

const here = site();

seen.each(VIEWS)("a phone of 390 px scrolls tables of view $id, never the page", async ({ id }) => {
  await here.publish({ runs: 30, cases: 40 });
  await here.page.setViewportSize({ width: 390, height: 844 });
  await here.open(`#/${id}`);
  await drawn(here.page);
  await expectWhole(here);
  const width = await here.page.evaluate(() => document.documentElement.scrollWidth);
  expect(width).toBeLessThanOrEqual(390);
});

seen.each(VIEWS)("view $id bears 10,000 commits of 400 cases", async ({ id }) => {
  const { page } = here;
  // the index names every case; the series of eight are enough to draw some
  await here.publish({ runs: 10_000, cases: 400, series: 8 });
  await here.open(`#/${id}`);
  await drawn(page);
  expect(await page.locator("main h1").count()).toBe(1);
  // more elements would be slow to scroll, and on a phone slow to draw
  expect(await page.evaluate(() => document.querySelectorAll("*").length)).toBeLessThan(20_000);
  expect(withoutMissing(here.complaints)).toEqual([]);
});

seen("nothing on the front is seen to move while it is drawn", async () => {
  const page = await here.newPage();
  await here.publish({ runs: 30, cases: 40 });
  await page.addInitScript(() => {
    const seen = { shift: 0 };
    Object.assign(globalThis, { seen });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) seen.shift += Reflect.get(entry, "value");
    }).observe({ type: "layout-shift", buffered: true });
  });
  await page.goto(here.url);
  await drawn(page);
  expect(await page.evaluate(() => Reflect.get(globalThis, "seen").shift)).toBeLessThan(0.05);
});
