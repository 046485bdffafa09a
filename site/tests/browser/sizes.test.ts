/** Small and large: phones, and histories of ten thousand runs. */

import { expect } from "vitest";
import { VIEWS } from "../../src/views/views";
import { serious } from "./axe";
import { drawn, expectFits, expectWhole, PHONE, seen, site, withoutMissing } from "./site";

const dashboard = site();

seen.each(VIEWS)(
  "view $id is readable on a dark phone of 390 px, and scrolls its tables, never the page",
  async ({ id }) => {
    const { page } = dashboard;
    await dashboard.publish({ runs: 30, cases: 40 });
    await page.emulateMedia({ colorScheme: "dark" });
    await page.setViewportSize(PHONE);
    await dashboard.open(`#/${id}`);
    await drawn(page);
    await expectWhole(dashboard);
    await expectFits(page);
    expect(await serious(page)).toEqual([]);
    expect(dashboard.complaints).toEqual([]);
  },
);

seen.each(VIEWS)("view $id bears 10,000 commits of 400 cases", async ({ id }) => {
  const { page } = dashboard;
  // the index names every case; the series of eight are enough to draw some
  await dashboard.publish({ runs: 10_000, cases: 400, series: 8 });
  await dashboard.open(`#/${id}`);
  await drawn(page);
  expect(await page.locator("main h1").count()).toBe(1);
  // more elements would be slow to scroll, and on a phone slow to draw
  expect(await page.evaluate(() => document.querySelectorAll("*").length)).toBeLessThan(20_000);
  expect(withoutMissing(dashboard.complaints)).toEqual([]);
});

seen("nothing on the front is seen to move while it is drawn", async () => {
  const page = await dashboard.newPage();
  await dashboard.publish({ runs: 30, cases: 40 });
  await page.addInitScript(() => {
    const seen = { shift: 0 };
    Object.assign(globalThis, { seen });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) seen.shift += Reflect.get(entry, "value");
    }).observe({ type: "layout-shift", buffered: true });
  });
  await page.goto(dashboard.url);
  await drawn(page);
  expect(await page.evaluate(() => Reflect.get(globalThis, "seen").shift)).toBeLessThan(0.05);
});
