/**
 * How long the page takes over a large history: 10,000 runs of 200 cases, made up for the purpose.
 * usage: node scripts/load_time.mjs [RUNS [CASES]]     after npm run build
 */

import { mkdtemp, rm } from "node:fs/promises";
import { availableParallelism, cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { openBrowser } from "./browser.mjs";
import { serve } from "./serve.mjs";
import { writeSynthetic } from "./synthetic.mjs";

const LOADS = 5;

/**
 * One visit with an empty cache.
 * @param {import("playwright-core").Browser} browser
 * @param {string} url
 */
async function visit(browser, url) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  const page = await context.newPage();
  await page.addInitScript(() => {
    const seen = { shift: 0, table_ms: 0, chart_ms: 0 };
    Object.assign(globalThis, { seen });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) seen.shift += /** @type {any} */ (entry).value;
    }).observe({ type: "layout-shift", buffered: true });
    new MutationObserver(() => {
      if (!seen.table_ms && document.querySelector("body.ready tr[data-case]")) {
        seen.table_ms = performance.now();
      }
      if (!seen.chart_ms && document.querySelector("#chart canvas")) {
        seen.chart_ms = performance.now();
      }
    }).observe(document, { childList: true, subtree: true, attributes: true });
  });
  await page.goto(url);
  await page.waitForSelector("#chart canvas");
  await page.waitForTimeout(300);
  const result = await page.evaluate(() => ({
    .../** @type {any} */ (globalThis).seen,
    files: performance
      .getEntriesByType("resource")
      .map((entry) => /** @type {PerformanceResourceTiming} */ (entry))
      .map(({ name, encodedBodySize, decodedBodySize }) => ({
        name: name.replace(/.*\/springbench\//, ""),
        encodedBodySize,
        decodedBodySize,
      })),
  }));
  await context.close();
  return result;
}

/** @param {number[]} values */
const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/** @param {number} bytes */
const kilobytes = (bytes) => `${(bytes / 1000).toFixed(1)} kB`;

const [runs = 10_000, cases = 200] = process.argv.slice(2).map(Number);
const folder = await mkdtemp(join(tmpdir(), "springbench-load-"));
const browser = await openBrowser();
try {
  // the index names every case; the series of one are enough to draw it
  await writeSynthetic(folder, { runs, cases }, (which) => which === 0);
  const server = await serve(folder);
  const visits = [];
  for (let load = 0; load < LOADS; load += 1) visits.push(await visit(browser, server.url));
  server.close();
  console.log(`${runs} runs x ${cases} cases, median of ${LOADS} visits with an empty cache`);
  console.log(`host: ${cpus()[0]?.model}, ${availableParallelism()} cores, ${browser.version()}`);
  console.log(`table: ${median(visits.map((each) => each.table_ms)).toFixed(0)} ms`);
  console.log(`chart: ${median(visits.map((each) => each.chart_ms)).toFixed(0)} ms`);
  console.log(`layout shift: ${Math.max(...visits.map((each) => each.shift)).toFixed(4)}`);
  for (const { name, encodedBodySize, decodedBodySize } of visits[0]?.files ?? []) {
    console.log(`${kilobytes(decodedBodySize)}, ${kilobytes(encodedBodySize)} gzipped: ${name}`);
  }
} finally {
  await browser.close();
  await rm(folder, { recursive: true });
}
