/**
 * How long the page takes over a large, made-up history, how much it fetches, and what it keeps.
 * usage: node scripts/load_time.mjs [--views] [RUNS [CASES]]     after npm run build
 *        --views: the view and its series are changed 500 times: how long that takes, and whether
 *        memory grows
 */

import { mkdtemp, rm } from "node:fs/promises";
import { availableParallelism, cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { openBrowser } from "./browser.mjs";
import { changeViews } from "./change_views.mjs";
import { serve } from "./serve.mjs";
import { writeSynthetic } from "./synthetic.mjs";

const LOADS = 5;
/** So many cases have their series; the index names all. */
const WITH_SERIES = 8;

/** @typedef {{ drawn_ms: number, shift: number, files: { name: string, wire: number, whole: number }[] }} Visit */

/**
 * One visit with an empty cache.
 * @param {import("playwright-core").Browser} browser
 * @param {string} url
 * @returns {Promise<Visit>}
 */
async function visit(browser, url) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  const page = await context.newPage();
  await page.addInitScript(() => {
    const seen = { shift: 0, drawn_ms: 0 };
    Object.assign(globalThis, { seen });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) seen.shift += /** @type {any} */ (entry).value;
    }).observe({ type: "layout-shift", buffered: true });
    new MutationObserver(() => {
      if (seen.drawn_ms || !document.querySelector("body.ready main h1")) return;
      seen.drawn_ms = -1;
      // the frame after the next one has been painted
      requestAnimationFrame(() => requestAnimationFrame(() => (seen.drawn_ms = performance.now())));
    }).observe(document, { childList: true, subtree: true, attributes: true });
  });
  await page.goto(url);
  await page.waitForFunction(() => /** @type {any} */ (globalThis).seen.drawn_ms > 0);
  await page.waitForTimeout(300);
  const result = await page.evaluate(() => {
    const entries = ["navigation", "resource"].flatMap((type) =>
      performance.getEntriesByType(type),
    );
    const files = entries.map((entry) => {
      const { name, encodedBodySize, decodedBodySize } = /** @type {PerformanceResourceTiming} */ (
        entry
      );
      return { name, wire: encodedBodySize, whole: decodedBodySize };
    });
    return { .../** @type {any} */ (globalThis).seen, files };
  });
  await context.close();
  return result;
}

/** @param {number[]} values */
const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/** @param {number} bytes */
const kilobytes = (bytes) => `${(bytes / 1000).toFixed(1)} kB`;

/**
 * @param {import("playwright-core").Browser} browser
 * @param {string} url
 */
async function reportVisits(browser, url) {
  /** @type {Visit[]} */
  const visits = [];
  for (let load = 0; load < LOADS; load += 1) visits.push(await visit(browser, url));
  const files = visits[0]?.files ?? [];
  const wire = files.reduce((sum, each) => sum + each.wire, 0);
  console.log(`median of ${LOADS} visits with an empty cache`);
  console.log(`front drawn: ${median(visits.map((each) => each.drawn_ms)).toFixed(0)} ms`);
  console.log(`layout shift: ${Math.max(...visits.map((each) => each.shift)).toFixed(4)}`);
  console.log(`transferred: ${kilobytes(wire)} compressed, ${files.length} files`);
  for (const { name, wire: packed, whole } of files) {
    const place = name.replace(url, "") || "index.html";
    console.log(`  ${kilobytes(packed)}, ${kilobytes(whole)} unpacked: ${place}`);
  }
}

/**
 * @param {import("playwright-core").Browser} browser
 * @param {string} url
 */
async function reportChanges(browser, url) {
  const { times, looks } = await changeViews(browser, url);
  console.log("median time of a change of view, until it is drawn:");
  for (const [view, times_ms] of times) {
    console.log(`  ${view}: ${median(times_ms).toFixed(0)} ms`);
  }
  console.log("what the page keeps:");
  for (const { changes, heap, nodes, listeners } of looks) {
    const elements = `${nodes} nodes, ${listeners} listeners`;
    console.log(`  after ${changes} changes: heap ${kilobytes(heap)}, ${elements}`);
  }
}

const views = process.argv.includes("--views");
const sizes = process.argv.slice(2).filter((each) => each !== "--views");
const [runs = 10_000, cases = 400] = sizes.map(Number);
const folder = await mkdtemp(join(tmpdir(), "springbench-load-"));
const browser = await openBrowser();
try {
  await writeSynthetic(folder, { runs, cases }, (which) => which < WITH_SERIES);
  const server = await serve(folder);
  console.log(
    `${runs} runs x ${cases} cases; ${cpus()[0]?.model}, ${availableParallelism()} cores`,
  );
  console.log(`Chromium ${browser.version()}`);
  await (views ? reportChanges : reportVisits)(browser, server.url);
  server.close();
} finally {
  await browser.close();
  await rm(folder, { recursive: true });
}
