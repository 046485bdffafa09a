/** What is around every view: addresses, titles, hosts, colours. */

import { expect } from "vitest";
import { VIEWS } from "../../src/views/views";
import { en, type WordKey } from "../../src/words/en";
import { drawn, expectWhole, seen, site, titleOf, withoutMissing } from "./site";

const dashboard = site();
const titled = (name: WordKey) => titleOf(en[name]);

seen("how a number is made stands at the foot of the page", async () => {
  await dashboard.publish({ runs: 1, cases: 1 });
  await dashboard.open("#/overview");
  await drawn(dashboard.page);
  const how = dashboard.page.locator("footer details");
  expect(await how.locator("li:visible").count()).toBe(0);
  await how.locator("summary").click();
  const texts = await how.locator("li:visible").allTextContents();
  const words = Object.entries(en).filter(([key]) => /^how\.(?!title)/.test(key));
  expect(texts).toEqual(words.map(([, text]) => text));
});

seen.each(VIEWS)("view $id draws the first published run", async ({ id }) => {
  await dashboard.publish({ runs: 1, cases: 1 });
  await dashboard.open(`#/${id}`);
  await drawn(dashboard.page);
  await expectWhole(dashboard);
});

seen.each(VIEWS)("view $id of an empty history says how to begin", async ({ id }) => {
  await dashboard.publish({ runs: 0, cases: 0 });
  await dashboard.open(`#/${id}`);
  await drawn(dashboard.page);
  expect(await dashboard.page.textContent(".notice")).toMatch(/no runs yet\..*publish/i);
  expect(dashboard.complaints).toEqual([]);
});

seen.each(VIEWS)("view $id keeps in its address what was chosen in it", async ({ id }) => {
  const { page } = dashboard;
  await dashboard.publish({ runs: 12, cases: 16 });
  await dashboard.open(`#/${id}`);
  await drawn(page);
  const first = await page.innerText("main");
  const choices = page.locator("main select");
  for (let at = 0; at < (await choices.count()); at += 1) {
    const last = await choices.nth(at).locator("option").last().getAttribute("value");
    await choices.nth(at).selectOption(last);
    await drawn(page);
  }
  const chosen = await page.innerText("main");
  const address = page.url();
  await page.reload();
  await drawn(page);
  expect(page.url()).toBe(address);
  await expect.poll(() => page.innerText("main")).toBe(chosen);
  while (page.url() !== `${dashboard.url}#/${id}`) await page.goBack();
  await drawn(page);
  await expect.poll(() => page.innerText("main")).toBe(first);
  expect(dashboard.complaints).toEqual([]);
});

seen("the frame leads from view to view, and Back leads back", async () => {
  const { page } = dashboard;
  await dashboard.publish({ runs: 12, cases: 16 });
  await dashboard.open();
  for (const { id, name, under } of VIEWS) {
    const navigation = page.getByRole("navigation");
    if (under !== undefined) await navigation.first().getByText(en["view.answers"]).click();
    await navigation
      .nth(under === undefined ? 0 : 1)
      .getByText(en[name], { exact: true })
      .click();
    await drawn(page);
    expect(new URL(page.url()).hash).toBe(`#/${id}`);
    await expect.poll(() => page.title()).toMatch(titled(name));
  }
  await page.goBack();
  await expect.poll(() => page.title()).toMatch(titled("view.answers"));
  expect(dashboard.complaints).toEqual([]);
});

seen("an address that no view has leads to the front", async () => {
  await dashboard.publish({ runs: 2, cases: 1 });
  await dashboard.open("#/no-such-view?s=x&host=gone&s=%00");
  await drawn(dashboard.page);
  expect(await dashboard.page.title()).toMatch(titled("view.answers"));
  await expectWhole(dashboard);
});

seen("a history whose answers have no intervals yet begins at its overview", async () => {
  await dashboard.publish({ runs: 2, cases: 1 });
  await dashboard.editIndex(({ classes: [row] }) => {
    for (const answer of row?.answers ?? []) answer.rounds = 1;
  });
  await dashboard.open();
  await drawn(dashboard.page);
  expect(await dashboard.page.title()).toMatch(titled("view.overview"));
  expect(await dashboard.page.locator("header nav a").first().textContent()).toBe(
    en["view.answers"],
  );
});

/** What views ask their addresses for, and some more. */
const ASKED =
  "s s a b base head metric by range point id q server workload connections sort event log compare";

seen.each(VIEWS)("view $id bears an address that asks for what is not there", async ({ id }) => {
  const choices = ASKED.split(" ").map((key) => `${key}=%3Cno-such%3E/x@y`);
  await dashboard.publish({ runs: 12, cases: 16 });
  await dashboard.open(`#/${id}?${choices.join("&")}&s=&host=gone`);
  await drawn(dashboard.page);
  expect(await dashboard.page.locator("main h1, main .notice").count()).toBeGreaterThan(0);
  expect(withoutMissing(dashboard.complaints)).toEqual([]);
});

seen("hosts that were chosen stay from view to view", async () => {
  const { page } = dashboard;
  await dashboard.publish({ runs: 3, cases: 2 });
  await dashboard.editIndex((index) => {
    const [row] = index.classes;
    if (row) index.classes.push({ ...row, class: "0ther" });
  });
  await dashboard.open();
  await page.selectOption("#host", "0ther");
  await page.click("header nav a >> nth=1");
  expect(page.url()).toContain("host=0ther");
  expect(await page.inputValue("#host")).toBe("0ther");
  await page.goBack();
  await page.goBack();
  await expect.poll(() => page.inputValue("#host")).toBe("c0ffee12");
});

seen("colours are the system's until a reader chooses, and the choice stays", async () => {
  const { page } = dashboard;
  await dashboard.publish({ runs: 2, cases: 1 });
  await page.emulateMedia({ colorScheme: "dark" });
  const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  await dashboard.open();
  await drawn(page);
  const dark = await paper();
  await page.selectOption("#theme", "light");
  const light = await paper();
  expect(light).not.toBe(dark);
  await page.emulateMedia({ colorScheme: "light" });
  await page.selectOption("#theme", "dark");
  expect(await paper()).toBe(dark);
  await page.reload();
  await drawn(page);
  expect(await paper()).toBe(dark);
  await page.selectOption("#theme", "auto");
  expect(await paper()).toBe(light);
  expect(dashboard.complaints).toEqual([]);
});

seen("the charts of github-action-benchmark are linked where there are some", async () => {
  const link = dashboard.page.locator("footer a[href='dev/bench/']");
  await dashboard.publish({ runs: 1, cases: 1 });
  await dashboard.open();
  await drawn(dashboard.page);
  expect(await link.count()).toBe(0);
  for (const charts of [false, true]) {
    await dashboard.editIndex((index) => {
      index.charts = charts;
    });
    await dashboard.open();
    await drawn(dashboard.page);
    expect(await link.count()).toBe(charts ? 1 : 0);
  }
});

seen("programs that read feeds find the one of the history", async () => {
  await dashboard.publish({ runs: 12, cases: 8 });
  await dashboard.open();
  const feed = dashboard.page.locator('link[rel="alternate"][type="application/atom+xml"]');
  const address = await feed.evaluate((link: HTMLLinkElement) => link.href);
  expect(address).toBe(`${dashboard.url}data/events.atom`);
  expect(await (await fetch(address)).text()).toContain("<feed");
});
