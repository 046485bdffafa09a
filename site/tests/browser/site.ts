/** The built page beside a made-up history, in a real browser: what all browser tests stand on. */

import { existsSync } from "node:fs";
import { cp, mkdir, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, BrowserContextOptions, Page, Request } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { findBrowser, openBrowser } from "../../scripts/browser.mjs";
import { serve } from "../../scripts/serve.mjs";
import { writeSynthetic } from "../../scripts/synthetic.mjs";
import type { Index } from "../../src/data/contract";

const browserRequired = findBrowser() !== null || Boolean(process.env["CI"]);
if (!browserRequired) {
  process.stdout.write("skipped: no Chromium or Chrome found (its place may stand in CHROMIUM)\n");
}

/** A test that needs a browser: left out, aloud, where a host has none. */
export const seen = test.skipIf(!browserRequired);

interface Size {
  readonly runs: number;
  readonly cases: number;
  /** How many of the cases have series; all, unless it is said. */
  readonly series?: number;
}

export const WIDE = { width: 1280, height: 900 };
export const PHONE = { width: 390, height: 844 };

export interface Site {
  /** An empty page, as a visitor has it who was never here. */
  readonly page: Page;
  /** What the browser complained of: on its console, by an exception or with a dialog. */
  readonly complaints: string[];
  /** The addresses that pages asked for. */
  readonly requests: string[];
  readonly url: string;
  /** Where a file below `data/` lies, to be changed. */
  readonly file: (path: string) => string;
  /** Made-up runs in place of what was there. */
  readonly publish: (size: Size) => Promise<void>;
  /** The history in another folder, in place of what was there. */
  readonly bring: (from: URL) => Promise<void>;
  readonly index: () => Promise<Index>;
  readonly editIndex: (change: (index: Index) => void) => Promise<void>;
  /** Open an address as a new visit does. */
  readonly open: (address?: string) => Promise<void>;
  /** Another page: with what a browser is started with, or one that the test interferes with. */
  readonly newPage: (options?: BrowserContextOptions) => Promise<Page>;
}

/** What each page has asked for and not been answered yet. */
const awaited = new WeakMap<Page, ReadonlySet<Request>>();

function requestsOf(page: Page): ReadonlySet<Request> {
  const open = new Set<Request>();
  page.on("request", (request) => open.add(request));
  page.on("requestfinished", (request) => open.delete(request));
  page.on("requestfailed", (request) => open.delete(request));
  return open;
}

/**
 * One site for all tests of a file: each begins with no history and an empty page. To start a page
 * takes longer than to draw a view, so that all have one, and what a test may leave in it is
 * cleared.
 */
export function site(): Site {
  let browser: Browser;
  let folder: string;
  let server: Awaited<ReturnType<typeof serve>>;
  let page: Page | undefined;
  /** Where the history that is published goes when its test ends; null where it was changed. */
  let shelf: string | null = null;
  const extraPages: Page[] = [];
  const complaints: string[] = [];
  const requests: string[] = [];
  const data = () => join(folder, "data");

  beforeAll(async () => {
    if (!existsSync(new URL("../../dist/index.html", import.meta.url))) {
      throw new Error("there is no built page; run: npm run build");
    }
    folder = await mkdtemp(join(tmpdir(), "springbench-site-"));
    await mkdir(join(folder, "shelves"));
    server = await serve(folder);
    if (browserRequired) browser = await openBrowser();
  });

  afterAll(async () => {
    await browser?.close();
    server?.close();
    if (folder) await rm(folder, { recursive: true });
  });

  beforeEach(async () => {
    if (!browserRequired) return;
    await clear();
    page ??= await openPage();
    await empty(page);
    complaints.length = 0;
    requests.length = 0;
  });

  afterEach(async ({ task }) => {
    for (const extraPage of extraPages.splice(0)) await extraPage.context().close();
    if (task.result?.state !== "fail") return;
    // who knows in which state it is
    await page?.context().close();
    page = undefined;
  });

  async function openPage(options: BrowserContextOptions = {}): Promise<Page> {
    const context = await browser.newContext({ viewport: WIDE, locale: "en-GB", ...options });
    const tab = await context.newPage();
    tab.on("console", (message) => {
      if (["error", "warning"].includes(message.type())) complaints.push(message.text());
    });
    tab.on("pageerror", (error) => complaints.push(String(error)));
    tab.on("dialog", (dialog) => {
      complaints.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    tab.on("request", (request) => requests.push(request.url()));
    awaited.set(tab, requestsOf(tab));
    return tab;
  }

  /** Take from a page what a test may have left: a document, choices that are kept, its look. */
  async function empty(left: Page): Promise<void> {
    await left.goto("about:blank");
    const session = await left.context().newCDPSession(left);
    const { origin } = new URL(server.url);
    await session.send("Storage.clearDataForOrigin", { origin, storageTypes: "all" });
    await session.detach();
    await left.emulateMedia({ colorScheme: null });
    await left.setViewportSize(WIDE);
  }

  async function clear(): Promise<void> {
    if (shelf !== null) await rename(data(), shelf);
    else await rm(data(), { recursive: true, force: true });
    shelf = null;
  }

  /** Put a history there: made by `write`, or as it was before where no test has changed it. */
  async function put(name: string, write: () => Promise<void>): Promise<void> {
    await clear();
    const shelfPath = join(folder, "shelves", encodeURIComponent(name));
    if (existsSync(shelfPath)) await rename(shelfPath, data());
    else await write();
    shelf = shelfPath;
  }

  function file(path: string): string {
    shelf = null;
    return join(data(), path);
  }

  async function index(): Promise<Index> {
    return JSON.parse(await readFile(join(data(), "index.json"), "utf8"));
  }

  return {
    get page() {
      if (page === undefined) throw new Error("a page is there in tests alone");
      return page;
    },
    get url() {
      return server.url;
    },
    complaints,
    requests,
    file,
    publish: ({ series = Infinity, ...size }) =>
      put(JSON.stringify([size, series]), () =>
        writeSynthetic(folder, size, (which) => which < series),
      ),
    bring: (from) => put(from.href, () => cp(from, data(), { recursive: true })),
    index,
    editIndex: async (change) => {
      const published = await index();
      change(published);
      await writeFile(file("index.json"), JSON.stringify(published));
    },
    open: async (address = "") => {
      // an address that differs in its fragment alone would be no new visit
      if (page?.url() !== "about:blank") await page?.goto("about:blank");
      await page?.goto(server.url + address);
    },
    newPage: async (options) => {
      const extraPage = await openPage(options);
      extraPages.push(extraPage);
      return extraPage;
    },
  };
}

/** Wait until a view stands where it was on its way, and its files are here. */
export async function drawn(page: Page): Promise<void> {
  const settled = () =>
    document.querySelector(".waiting") === null &&
    document.querySelector("main h1, .notice") !== null;
  // twice, for what arrived may ask for more
  for (let quiet = 0; quiet < 2; quiet += 1) {
    await page.waitForFunction(settled);
    if ((awaited.get(page)?.size ?? 0) > 0) quiet = -1;
    await page.evaluate(() => new Promise((next) => requestAnimationFrame(() => setTimeout(next))));
  }
}

/** The title of a document that shows this view: what is shown may stand before it. */
export function titleOf(view: string): RegExp {
  return new RegExp(`^(.+ · )?${view} · springbench$`);
}

/** What a reader takes for a mistake of the page: values that are none, names not filled in. */
export const SLIPS = /\b(NaN|Infinity|undefined|null)\b|∞|\[object |\{\w+\}/;

/** A view as it should be: with its title, without alerts, complaints and slips. */
export async function expectWhole({ page, complaints }: Site): Promise<void> {
  expect(await page.locator("main h1").count()).toBe(1);
  expect(await page.locator("[role=alert]").allTextContents()).toEqual([]);
  expect(await page.innerText("body")).not.toMatch(SLIPS);
  expect(complaints).toEqual([]);
}

/** A page that does not scroll sideways on a phone, whatever is in it. */
export async function expectFits(page: Page): Promise<void> {
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(width).toBeLessThanOrEqual(PHONE.width);
}

/** Complaints without those that a test itself gave reason for: files that it took away. */
export function withoutMissing(complaints: readonly string[]): readonly string[] {
  return complaints.filter((complaint) => !complaint.includes("404 (Not Found)"));
}
