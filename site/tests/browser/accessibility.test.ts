/** What axe finds: nothing serious, light and wide, dark and narrow. */

import { expect } from "vitest";
import { VIEWS } from "../../src/views/views";
import { serious } from "./axe";
import { drawn, seen, site } from "./site";

const here = site();

const LOOKS = VIEWS.flatMap(({ id }) => [
  { id, look: "light and wide", colorScheme: "light", width: 1280 } as const,
  { id, look: "dark and narrow", colorScheme: "dark", width: 390 } as const,
]);

seen.each(LOOKS)("view $id has no serious findings, $look", async ({ id, colorScheme, width }) => {
  await here.publish({ runs: 12, cases: 16 });
  const page = await here.newPage({ colorScheme, viewport: { width, height: 844 } });
  await page.goto(`${here.url}#/${id}`);
  await drawn(page);
  expect(await serious(page)).toEqual([]);
  expect(here.complaints).toEqual([]);
});

seen.each(VIEWS)("view $id has one h1, and headings that skip no level", async ({ id }) => {
  await here.publish({ runs: 12, cases: 16 });
  await here.open(`#/${id}`);
  await drawn(here.page);
  const levels = await here.page
    .locator("h1, h2, h3, h4, h5, h6")
    .evaluateAll((all) => all.map((each) => Number(each.tagName.slice(1))));
  expect(levels.filter((level) => level === 1)).toHaveLength(1);
  expect(levels[0]).toBe(1);
  expect(levels.filter((level, at) => level > (levels[at - 1] ?? 1) + 1)).toEqual([]);
});

seen("a notice is told to those who do not see it", async () => {
  await here.open();
  await here.page.waitForSelector("[role=alert]");
  expect(await serious(here.page)).toEqual([]);
});
