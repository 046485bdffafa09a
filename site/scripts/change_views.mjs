/** A reader who goes from view to view and from series to series, many times. */

const CHANGES = 500;
/** Once through everything: what is loaded once and kept is no growth. */
const WARM_UP = 40;
const METRICS = ["throughput_rps", "latency_p99_s", "startup_s"];

/** @typedef {{ heap: number, nodes: number, listeners: number }} Kept */

/**
 * @param {import("playwright-core").Browser} browser
 * @param {string} url
 */
export async function changeViews(browser, url) {
  const page = await browser.newPage();
  await page.goto(url);
  await drawn(page);
  const places = await placesOf(page);
  /** @type {Map<string, number[]>} */
  const times = new Map();
  for (let at = 0; at < WARM_UP; at += 1) await change(page, places, at);
  const before = await kept(page);
  for (let at = WARM_UP; at < WARM_UP + CHANGES; at += 1) {
    const { view, time_ms } = await change(page, places, at);
    times.set(view, [...(times.get(view) ?? []), time_ms]);
  }
  // the page is in the same place both times
  await change(page, places, WARM_UP - 1);
  const after = await kept(page);
  await page.close();
  return { changes: CHANGES, times, before, after };
}

/**
 * The views that the page offers, and the series that its front leads to.
 * @param {import("playwright-core").Page} page
 */
async function placesOf(page) {
  const hrefs = (/** @type {string} */ selector) =>
    page.locator(selector).evaluateAll((all) => all.map((each) => each.getAttribute("href") ?? ""));
  return {
    views: await hrefs("header nav a"),
    series: (await hrefs("table.heat td a")).slice(0, 8),
  };
}

/**
 * @param {import("playwright-core").Page} page
 * @param {{ views: string[], series: string[] }} places
 * @param {number} at
 */
async function change(page, { views, series }, at) {
  const round = Math.floor(at / views.length);
  const chosen = views[at % views.length] ?? "";
  const view = chosen.replace("#/", "").replace(/\?.*/, "");
  const metric = METRICS[round % METRICS.length];
  const of = series[round % series.length];
  const trend = `${of}${of?.includes("?") ? "&" : "?"}metric=${metric}`;
  const began = performance.now();
  await page.evaluate(
    (hash) => {
      location.hash = hash;
    },
    view === "trends" ? trend : chosen,
  );
  await drawn(page);
  return { view, time_ms: performance.now() - began };
}

/** @param {import("playwright-core").Page} page */
async function drawn(page) {
  await page.evaluate(() => new Promise((next) => requestAnimationFrame(() => next(undefined))));
  await page.waitForFunction(
    () => document.querySelector(".waiting") === null && document.querySelector("main h1, .notice"),
  );
}

/**
 * What the page keeps after its rubbish was collected.
 * @param {import("playwright-core").Page} page
 * @returns {Promise<Kept>}
 */
async function kept(page) {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("HeapProfiler.enable");
  for (let times = 0; times < 3; times += 1) await devtools.send("HeapProfiler.collectGarbage");
  const { usedSize } = await devtools.send("Runtime.getHeapUsage");
  const { nodes, jsEventListeners } = await devtools.send("Memory.getDOMCounters");
  await devtools.detach();
  return { heap: usedSize, nodes, listeners: jsEventListeners };
}
