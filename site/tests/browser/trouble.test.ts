/** Files that are cut off, late, gone or of another form: one message, and what helps. */

import { readFile, rm, writeFile } from "node:fs/promises";
import { expect } from "vitest";
import { VIEWS } from "../../src/views/views";
import { serious } from "./axe";
import { rewrite } from "./files";
import { drawn, seen, site, withoutMissing } from "./site";

const dashboard = site();

seen.each(VIEWS)("files that are cut off cost view $id no more than a notice", async ({ id }) => {
  await dashboard.publish({ runs: 12, cases: 16 });
  await rewrite(dashboard.file(""), /(series|runs|comparisons)\/|evidence/, (text) =>
    text.slice(0, text.length / 2),
  );
  await dashboard.open(`#/${id}`);
  await drawn(dashboard.page);
  expect(await dashboard.page.locator("main h1, main .notice").count()).toBeGreaterThan(0);
  expect(dashboard.complaints).toEqual([]);
});

seen.each(VIEWS)("files that are gone cost view $id no more than a notice", async ({ id }) => {
  await dashboard.publish({ runs: 12, cases: 16 });
  for (const path of ["series", "runs", "evidence.json.gz"]) {
    await rm(dashboard.file(path), { recursive: true });
  }
  await dashboard.open(`#/${id}`);
  await drawn(dashboard.page);
  expect(await dashboard.page.locator("main h1, main .notice").count()).toBeGreaterThan(0);
  expect(withoutMissing(dashboard.complaints)).toEqual([]);
});

seen("a notice is announced to screen readers, and readable", async () => {
  await dashboard.open();
  await dashboard.page.waitForSelector("[role=alert]");
  expect(await serious(dashboard.page)).toEqual([]);
});

seen("no index, and one of another form, are one message that says what helps", async () => {
  const notice = dashboard.page.locator(".notice");
  await dashboard.open();
  expect(await notice.textContent()).toMatch(/There is no data\/index.json here.*Publish a run/);
  await dashboard.publish({ runs: 1, cases: 1 });
  const indexText = await readFile(dashboard.file("index.json"), "utf8");
  const noticeFor = async (text: string) => {
    await writeFile(dashboard.file("index.json"), text);
    await dashboard.open();
    return notice.textContent();
  };
  const index = JSON.parse(indexText);
  expect(await noticeFor(JSON.stringify({ ...index, schema: 3 }))).toMatch(
    /has schema 3; this page reads schema 2.*Reload/,
  );
  expect(await noticeFor(JSON.stringify({ ...index, schema: 1 }))).toMatch(
    /not of schema 2.*--rebuild/,
  );
  expect(await noticeFor(indexText.slice(0, 300))).toMatch(/index\.json is not JSON.*--rebuild/);
  expect(await noticeFor('{"schema": 2}')).toMatch(
    /not in the form that this page reads.*--rebuild/,
  );
  expect(await noticeFor("[]")).toMatch(/not of schema 2/);
  expect(await dashboard.page.locator("body.failed").count()).toBe(1);
});

seen("an index that never comes is given up, and said", async () => {
  const page = await dashboard.newPage();
  await page.addInitScript(() => {
    // the page's patience, a hundred times shorter
    const timeout = AbortSignal.timeout.bind(AbortSignal);
    AbortSignal.timeout = (ms) => timeout(ms / 100);
  });
  await page.route("**/data/index.json", () => undefined);
  await page.goto(dashboard.url);
  await page.waitForSelector(".notice");
  expect(await page.textContent(".notice")).toMatch(
    /index\.json did not arrive in 20 seconds.*Reload/,
  );
  expect(await page.locator(".waiting").count()).toBe(0);
});

seen("a view whose code is gone says so, and the others stay", async () => {
  const page = await dashboard.newPage();
  await dashboard.publish({ runs: 2, cases: 1 });
  const other = VIEWS[1]?.id ?? "";
  await page.route(`**/assets/${other}-*.js`, (route) => route.abort());
  await page.goto(`${dashboard.url}#/${other}`);
  await page.waitForSelector(".notice");
  expect(await page.textContent(".notice")).toMatch(
    /code of this view could not be loaded.*Reload/,
  );
  await page.click("header nav a >> nth=0");
  await drawn(page);
  expect(await page.locator("main h1").count()).toBe(1);
});
