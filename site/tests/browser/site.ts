/** The built page beside a made-up history, in a real browser: what all browser tests stand on. */

import { existsSync } from "node:fs";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, BrowserContextOptions, Page, Request } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { findBrowser, openBrowser } from "../../scripts/browser.mjs";
import { serve } from "../../scripts/serve.mjs";
import { writeSynthetic } from "../../scripts/synthetic.mjs";
import type { Index } from "../../src/data/contract";

const wanted = findBrowser() !== null || Boolean(process.env["CI"]);
if (!wanted) {
  process.stdout.write("skipped: no Chromium or Chrome found (its place may stand in CHROMIUM)\n");
}

/** A test that needs a browser: left out, aloud, where a host has none. */
export const seen = test.skipIf(!wanted);

interface Size {
  readonly runs: number;
  readonly cases: number;
  readonly perMonth?: number;
}

export interface Site {
  /** A page that nothing was opened in yet. */
  readonly page: Page;
  /** What the browser complained of, on its console or by an exception. */
  readonly complaints: string[];
  readonly url: string;
  /** Where a file below `data/` lies. */
  readonly file: (path: string) => string;
  /** Made-up runs in place of what was there; `wanted` are the cases that have series. */
  readonly publish: (size: Size, wanted?: (which: number) => boolean) => Promise<void>;
  /** The history in another folder, in place of what was there. */
  readonly bring: (from: URL) => Promise<void>;
  readonly editIndex: (change: (index: Index) => void) => Promise<void>;
  /** Open an address as a new visit does. */
  readonly open: (address?: string) => Promise<void>;
  /** Another page, such as a phone has it. */
  readonly newPage: (options: BrowserContextOptions) => Promise<Page>;
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

/** One site for all tests of a file: each begins with no history and a new page. */
export function site(): Site {
  let browser: Browser;
  let folder: string;
  let server: Awaited<ReturnType<typeof serve>>;
  let page: Page;
  const pages: Page[] = [];
  const complaints: string[] = [];
  const file = (path: string) => join(folder, "data", path);
  const clear = () => rm(join(folder, "data"), { recursive: true, force: true });

  beforeAll(async () => {
    if (!existsSync(new URL("../../dist/index.html", import.meta.url))) {
      throw new Error("there is no built page; run: npm run build");
    }
    folder = await mkdtemp(join(tmpdir(), "springbench-site-"));
    server = await serve(folder);
    if (wanted) browser = await openBrowser();
  });

  afterAll(async () => {
    await browser?.close();
    server?.close();
    if (folder) await rm(folder, { recursive: true });
  });

  beforeEach(async () => {
    complaints.length = 0;
    if (!wanted) return;
    await clear();
    page = await newPage({ locale: "en-GB" });
  });

  afterEach(async () => {
    for (const each of pages.splice(0)) await each.context().close();
  });

  async function newPage(options: BrowserContextOptions): Promise<Page> {
    const viewport = { width: 1280, height: 900 };
    const context = await browser.newContext({ viewport, ...options });
    const made = await context.newPage();
    made.on("console", (message) => {
      if (["error", "warning"].includes(message.type())) complaints.push(message.text());
    });
    made.on("pageerror", (error) => complaints.push(String(error)));
    awaited.set(made, requestsOf(made));
    pages.push(made);
    return made;
  }

  return {
    get page() {
      return page;
    },
    get url() {
      return server.url;
    },
    complaints,
    file,
    publish: async (size, which) => {
      await clear();
      await writeSynthetic(folder, size, which);
    },
    bring: async (from) => {
      await clear();
      await cp(from, join(folder, "data"), { recursive: true });
    },
    editIndex: async (change) => {
      const index = JSON.parse(await readFile(file("index.json"), "utf8"));
      change(index);
      await writeFile(file("index.json"), JSON.stringify(index));
    },
    open: async (address = "") => {
      // an address that differs in its fragment alone would be no new visit
      await page.goto("about:blank");
      await page.goto(server.url + address);
    },
    newPage,
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

/** Complaints without those that a test itself gave reason for: files that it took away. */
export function withoutMissing(complaints: readonly string[]): readonly string[] {
  return complaints.filter((each) => !each.includes("404 (Not Found)"));
}
