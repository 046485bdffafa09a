/** What a reader sees: the built page beside a history, in a real browser. */

import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { findBrowser, openBrowser } from "../../scripts/browser.mjs";
import { serve } from "../../scripts/serve.mjs";
import { writeSynthetic } from "../../scripts/synthetic.mjs";

const found = findBrowser() !== null;
if (!found && !process.env["CI"]) {
  process.stdout.write("skipped: no Chromium or Chrome found (its place may stand in CHROMIUM)\n");
}
const seen = test.skipIf(!found && !process.env["CI"]);

let browser: Browser;
let history: string;
let server: Awaited<ReturnType<typeof serve>>;
let page: Page;
let complaints: string[];

beforeAll(async () => {
  if (!existsSync(new URL("../../dist/index.html", import.meta.url))) {
    throw new Error("there is no built page; run: npm run build");
  }
  history = await mkdtemp(join(tmpdir(), "springbench-site-"));
  server = await serve(history);
  if (found || process.env["CI"]) browser = await openBrowser();
});

afterAll(async () => {
  await browser?.close();
  server?.close();
  if (history) await rm(history, { recursive: true });
});

beforeEach(async () => {
  complaints = [];
  if (!browser) return;
  await rm(join(history, "data"), { recursive: true, force: true });
  page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
});

afterEach(async () => page?.close());

async function open(hash = ""): Promise<void> {
  await page.goto(server.url + hash);
}

/** How many pixels of the chart have the accent's colour: none where nothing is drawn. */
async function drawnPixels(): Promise<number> {
  return page.evaluate(() => {
    const canvas = document.querySelector<HTMLCanvasElement>("#chart canvas");
    const pixels = canvas?.getContext("2d")?.getImageData(0, 0, canvas.width, canvas.height).data;
    if (!pixels) return 0;
    const accent = getComputedStyle(document.documentElement).getPropertyValue("--accent").trim();
    const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(accent.slice(at, at + 2), 16));
    let count = 0;
    for (let at = 0; at < pixels.length; at += 4) {
      if (pixels[at] === red && pixels[at + 1] === green && pixels[at + 2] === blue) count += 1;
    }
    return count;
  });
}

seen("the first published run is a row in the table and a point in the chart", async () => {
  await writeSynthetic(history, { runs: 1, cases: 1 });
  await open();
  await page.waitForSelector("#chart canvas");
  expect(await page.locator("tr[data-case]").count()).toBe(1);
  expect(await page.locator("tr[data-case] td").nth(1).textContent()).toMatch(
    /^\d+\.\d\/s ± 1\.\d %$/,
  );
  await expect.poll(drawnPixels).toBeGreaterThan(10);
  expect(await page.textContent("#status")).toBe("One run, the latest of 5 Jan 2026, 08:21 UTC.");
  expect(complaints).toEqual([]);
});

seen("another series is one choice away, has an address, and Back leads back", async () => {
  await writeSynthetic(history, { runs: 12, cases: 16 });
  await open();
  await page.waitForSelector("#chart canvas");
  expect(await page.locator("tr[data-case]").count()).toBe(16);
  const first = await page.textContent("figcaption");
  await page.selectOption("select[name=metric]", "startup_s");
  await page.waitForFunction(() =>
    document.querySelector("figcaption strong")?.textContent?.startsWith("Startup"),
  );
  expect(page.url()).toContain("metric=startup_s");
  await expect.poll(drawnPixels).toBeGreaterThan(10);
  expect(await page.textContent("#readout .value")).toMatch(/^\d\.\d\d s$/);
  const shared = page.url();
  await page.goBack();
  await page.waitForFunction(
    (text) => document.querySelector("figcaption")?.textContent === text,
    first,
  );
  await page.goto("about:blank");
  await page.goto(shared);
  await page.waitForSelector("#chart canvas");
  expect(await page.inputValue("select[name=metric]")).toBe("startup_s");
  await page.click("tr[data-case='boot4-jetty-virtual-jvm/pay/100'] a");
  await page.waitForFunction(() =>
    document.querySelector("figcaption")?.textContent?.includes("jetty virtual"),
  );
  expect(await page.inputValue("select[name=workload]")).toBe("pay");
  expect(complaints).toEqual([]);
});

seen("the keyboard reads the chart point by point", async () => {
  await writeSynthetic(history, { runs: 12, cases: 1 });
  await open();
  await page.focus("#chart");
  const newest = await page.getAttribute("#chart", "aria-valuetext");
  await page.keyboard.press("ArrowLeft");
  expect(await page.getAttribute("#chart", "aria-valuenow")).toBe("11");
  expect(await page.getAttribute("#chart", "aria-valuetext")).not.toBe(newest);
  await page.keyboard.press("Home");
  expect(await page.textContent("#readout")).toContain("Change number 0");
  await page.click("summary");
  // the browser tells of an opened fold some time after the click
  await expect.poll(() => page.locator("details tbody tr").count()).toBe(12);
  expect(complaints).toEqual([]);
});

seen("published words never become markup", async () => {
  await writeSynthetic(history, { runs: 2, cases: 1 });
  const path = join(history, "data/index.json");
  const index = JSON.parse(await readFile(path, "utf8"));
  const evil = "<img src=x onerror=alert(1)>";
  index.commits[1].message = evil;
  index.cases[0].server = evil;
  index.classes[0].host.cpu_model = evil;
  await writeFile(path, JSON.stringify(index));
  await open();
  await page.waitForSelector("#chart canvas");
  expect(await page.locator("img").count()).toBe(0);
  expect(await page.textContent("#run")).toContain(evil);
  expect(complaints).toEqual([]);
});

seen("a phone of 390 px scrolls tables, never the page", async () => {
  await page.setViewportSize({ width: 390, height: 844 });
  await writeSynthetic(history, { runs: 30, cases: 16 });
  await open();
  await page.waitForSelector("#chart canvas");
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
});

seen("no history, and a newer schema, are one message that says what helps", async () => {
  await open();
  const notice = page.locator(".notice");
  expect(await notice.textContent()).toMatch(/There is no data\/index.json here.*Publish a run/);
  await writeSynthetic(history, { runs: 1, cases: 1 });
  const path = join(history, "data/index.json");
  const index = JSON.parse(await readFile(path, "utf8"));
  await writeFile(path, JSON.stringify({ ...index, schema: 3 }));
  await open("?again");
  expect(await notice.textContent()).toMatch(/has schema 3; this page reads schema 2.*Reload/);
  await writeFile(path, JSON.stringify({ ...index, classes: [] }));
  await open("?empty");
  expect(await notice.textContent()).toContain("The history has no runs yet.");
});

seen("a series file that is broken leaves the table, and the rest of the page, alone", async () => {
  await writeSynthetic(history, { runs: 2, cases: 1 });
  const path = "data/series/c0ffee12/00000/boot4-tomcat-platform-jvm~hello~100@push-5x10s.json";
  await writeFile(join(history, path), '{"schema": 2, "run": [');
  await open();
  expect(await page.locator("#trend .notice").textContent()).toContain(`${path} is not JSON.`);
  expect(await page.locator("tr[data-case]").count()).toBe(1);
});

seen("a chunk that is gone is said, and the rest of the series is drawn with a gap", async () => {
  await writeSynthetic(history, { runs: 6, cases: 1, chunk: 2 });
  await rm(join(history, "data/series/c0ffee12/00001/chunk.json"));
  await open();
  await page.waitForSelector("#chart canvas");
  expect(await page.locator("#trend .notice").textContent()).toContain(
    "data/series/c0ffee12/00001/chunk.json is not there, though the index names it",
  );
  await page.click("#trend summary");
  await expect.poll(() => page.locator("#trend tbody tr").count()).toBe(5);
  expect(await page.textContent("#trend tbody")).toContain("these runs could not be loaded");
  expect(await page.locator("tr[data-case]").count()).toBe(1);
  complaints = complaints.filter((each) => !each.includes("404"));
});

seen(
  "a case that was measured in two ways is two series, and the table shows the newer one",
  async () => {
    await writeSynthetic(history, { runs: 3, cases: 1 });
    const path = join(history, "data/index.json");
    const index = JSON.parse(await readFile(path, "utf8"));
    const [row] = index.classes;
    index.cases.push({ ...index.cases[0], conditions: "nightly-3x10s" });
    row.points.push(1);
    for (const [name, column] of Object.entries(row.latest)) {
      if (name === "row") row.latest.row = [0, 1];
      else if (name === "time") row.latest.time = ["2026-01-01T00:00:00Z", "2026-02-01T00:00:00Z"];
      else if (Array.isArray(column) && name !== "texts") column.push(column[0]);
    }
    for (const columns of Object.values(row.latest.metrics) as Record<string, number[]>[]) {
      for (const column of Object.values(columns)) column.push(column[0] ?? 0);
    }
    await writeFile(path, JSON.stringify(index));
    await open("#how=push-5x10s&case=boot4-tomcat-platform-jvm/hello/100");
    await page.waitForSelector("#chart canvas");
    expect(await page.locator("tr[data-case]").count()).toBe(1);
    expect(await page.textContent(".workload p")).toContain("nightly, 3 × 10 s");
    expect(await page.textContent("figcaption")).toContain("(push, 5 × 10 s)");
    await page.selectOption("select[name=how]", "nightly-3x10s");
    expect(page.url()).toContain("how=nightly-3x10s");
  },
);

seen("the charts of github-action-benchmark are linked where there are some", async () => {
  await writeSynthetic(history, { runs: 1, cases: 1 });
  const path = join(history, "data/index.json");
  const index = JSON.parse(await readFile(path, "utf8"));
  const link = page.locator("footer a");
  for (const charts of [undefined, false, true]) {
    await writeFile(path, JSON.stringify({ ...index, charts }));
    await open(`?${charts}`);
    await page.waitForSelector("#chart canvas");
    expect(await link.isVisible()).toBe(charts === true);
  }
  expect(await link.getAttribute("href")).toBe("dev/bench/");
});

seen("what is said of a number stands below its table", async () => {
  await writeSynthetic(history, { runs: 1, cases: 8 });
  await open();
  await page.click(".notes summary");
  expect(await page.textContent(".notes")).toContain("jetty virtual jvm");
  expect(await page.textContent(".notes")).toContain("Its pool has 200 threads.");
  await expect.poll(() => page.textContent("#readout")).toContain("boot4 4.0.7");
});
