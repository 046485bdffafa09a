/** Chromium, as the tests and the load time drive it. */

import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { chromium } from "playwright-core";

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
const PLACES = [
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];
const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** The browser of this host: what CHROMIUM names, else the first known name; null without one. */
export function findBrowser() {
  const named = process.env["CHROMIUM"];
  if (named) return named;
  const folders = (process.env["PATH"] ?? "").split(delimiter);
  const files = NAMES.flatMap((name) => folders.map((folder) => join(folder, name)));
  return [...files, ...PLACES].find((file) => existsSync(file)) ?? null;
}

/** A headless browser with a new, empty profile. Throws where this host has none. */
export async function openBrowser() {
  const executablePath = findBrowser();
  if (executablePath === null) {
    throw new Error("no Chromium or Chrome found; install one or name it in CHROMIUM");
  }
  return chromium.launch({ executablePath, headless: true, args: FLAGS });
}
