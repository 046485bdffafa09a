/** A reader who goes from view to view and from series to series, many times. */

const CHANGES = 500;
/** What is kept is looked at so often on the way: what grows is distinguished from what only differs. */
const LOOKS = 5;
/** Once through everything: what is loaded once and kept is no growth. */
const WARM_UP = 40;
const METRICS = ["throughput_rps", "latency_p99_s", "startup_s"];

/** @typedef {{ changes: number, heap: number, nodes: number, listeners: number }} Kept */

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
  const looks = [];
  for (let at = 0; at <= CHANGES; at += 1) {
    if (at % (CHANGES / LOOKS) === 0) {
      // from the same place each time
      await change(page, places, 0);
      looks.push({ changes: at, ...(await kept(page)) });
    }
    if (at === CHANGES) break;
    const { view, time_ms } = await change(page, places, WARM_UP + at);
    times.set(view, [...(times.get(view) ?? []), time_ms]);
  }
  await page.close();
  return { times, looks };
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

/**
 * Wait until a view stands. Playwright's own waiting would keep elements that it has looked at.
 * @param {import("playwright-core").Page} page
 */
async function drawn(page) {
  const stands = await page.evaluate(async () => {
    const latest = performance.now() + 20_000;
    while (performance.now() < latest) {
      await new Promise((next) => requestAnimationFrame(next));
      const waits = document.querySelector(".waiting") !== null;
      if (!waits && document.querySelector("main h1, .notice") !== null) return true;
    }
    return false;
  });
  if (!stands) throw new Error(`nothing was drawn at ${page.url()}`);
}

/**
 * What the page keeps after its rubbish was collected.
 * @param {import("playwright-core").Page} page
 * @returns {Promise<Omit<Kept, "changes">>}
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
