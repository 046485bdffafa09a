/** The page by keyboard alone. */

import type { Page } from "playwright-core";
import { expect } from "vitest";
import { VIEWS } from "../../src/views/views";
import { en } from "../../src/words/en";
import { drawn, seen, site, titleOf } from "./site";

const dashboard = site();
const MOST_PRESSES = 400;

/** Press Tab until the wanted element has the focus. */
async function tabTo(page: Page, selector: string): Promise<void> {
  for (let presses = 0; presses < MOST_PRESSES; presses += 1) {
    await page.keyboard.press("Tab");
    const focused = await page.evaluate(
      (target) => document.activeElement?.matches(target) === true,
      selector,
    );
    if (focused) return;
  }
  throw new Error(`Tab never came to ${selector}`);
}

seen("Tab and Enter lead to each view", async () => {
  const { page } = dashboard;
  await dashboard.publish({ runs: 6, cases: 8 });
  await dashboard.open();
  await drawn(page);
  for (const { id, name, under } of VIEWS) {
    const selector = under === undefined ? "header nav" : "nav.sections";
    if (under !== undefined) {
      await dashboard.open(`#/${under}`);
      await drawn(page);
    }
    await tabTo(page, `${selector} a[href^="#/${id}"]`);
    await page.keyboard.press("Enter");
    await drawn(page);
    await expect.poll(() => page.title()).toMatch(titleOf(en[name]));
  }
});

seen("the first Tab offers to skip the frame, and leaves the address as it is", async () => {
  const { page } = dashboard;
  await dashboard.publish({ runs: 6, cases: 8 });
  await dashboard.open("#/run");
  await drawn(page);
  const address = page.url();
  await page.keyboard.press("Tab");
  expect(await page.evaluate(() => document.activeElement?.className)).toBe("skip");
  await page.keyboard.press("Enter");
  expect(await page.evaluate(() => document.activeElement?.id)).toBe("view");
  expect(page.url()).toBe(address);
});

seen("language and colours are changed by keyboard", async () => {
  const { page } = dashboard;
  await dashboard.publish({ runs: 2, cases: 1 });
  await dashboard.open();
  await drawn(page);
  await tabTo(page, "#language");
  await page.keyboard.press("Enter");
  await expect.poll(() => page.getAttribute("html", "lang")).toBe("zh-CN");
  await tabTo(page, "#theme");
  await page.keyboard.press("End");
  await expect.poll(() => page.getAttribute("html", "data-theme")).toBe("dark");
});

const FOCUSABLE = "a[href], button, select, input, summary, [tabindex='0']";

seen.each(VIEWS)("Tab comes to all of view $id, shows where it is, and leaves", async ({ id }) => {
  const { page } = dashboard;
  await dashboard.publish({ runs: 6, cases: 8 });
  await dashboard.open(`#/${id}`);
  await drawn(page);
  const count = await page.locator(FOCUSABLE).count();
  const unmarked: string[] = [];
  for (let presses = 0; presses <= count; presses += 1) {
    await page.keyboard.press("Tab");
    const at = await page.evaluate(visit);
    if (at === null) break;
    if (!at.marked) unmarked.push(at.html);
  }
  expect(unmarked).toEqual([]);
  const missed = await page.locator(FOCUSABLE).evaluateAll((all) =>
    all
      .filter(
        (element) => element.checkVisibility() && !element.matches(":disabled, [tabindex='-1']"),
      )
      .filter((element) => Reflect.get(element, "visited") !== true)
      .map((element) => element.outerHTML.slice(0, 120)),
  );
  expect(missed).toEqual([]);
});

/** What has the focus, noted as visited; null where it has left the page. Runs in the page. */
function visit(): { readonly html: string; readonly marked: boolean } | null {
  const at = document.activeElement;
  if (at === null || at === document.body) return null;
  Object.assign(at, { visited: true });
  const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(at);
  const outlined = outlineStyle !== "none" && outlineWidth !== "0px";
  return { html: at.outerHTML.slice(0, 120), marked: outlined || boxShadow !== "none" };
}
