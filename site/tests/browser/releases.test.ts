/** The releases of Spring Boot as they were measured, and a history that has none. */

import { readFile } from "node:fs/promises";
import { expect } from "vitest";
import type { Index } from "../../src/data/contract";
import { serious } from "./axe";
import { drawn, SLIPS, seen, site } from "./site";

const here = site();
const DEMO = new URL("../../demo/data", import.meta.url);

async function visit(address = "#/releases"): Promise<readonly string[]> {
  await here.bring(DEMO);
  const index = JSON.parse(await readFile(here.file("index.json"), "utf8")) as Index;
  await here.open(address);
  await drawn(here.page);
  await here.page.locator("canvas").first().waitFor();
  const versions = index.commits.map(({ message }) => message.replace("Spring Boot ", ""));
  return versions.toSorted((a, b) => a.localeCompare(b, "en", { numeric: true }));
}

seen(
  "each release has a row, the newest first, and the answer names the first and the last",
  async () => {
    const versions = await visit();
    const rows = here.page.locator("table").last().locator("tbody th");
    expect(await rows.allTextContents()).toEqual(versions.toReversed());
    const answer = await here.page.locator(".answer").first().textContent();
    expect(answer).toContain(`From ${versions[0]} to ${versions.at(-1)}`);
    expect(await here.page.locator("main").textContent()).not.toMatch(SLIPS);
    expect(here.complaints).toEqual([]);
  },
);

seen("a metric that is chosen stands in the title of the chart and in the address", async () => {
  await visit();
  await here.page.getByLabel("Metric").selectOption({ label: "Startup" });
  await here.page.getByRole("heading", { name: "Startup by release of Spring Boot" }).waitFor();
  expect(here.page.url()).toContain("metric=startup_s");
});

seen("a release leads to its comparison with the one before it", async () => {
  const versions = await visit();
  await here.page.getByRole("link", { name: versions.at(-1) ?? "", exact: true }).click();
  await drawn(here.page);
  expect(here.page.url()).toMatch(/#\/compare\?.*base=[0-9a-f]{12}.*head=[0-9a-f]{12}/);
  expect(await here.page.locator("main").textContent()).toContain(`Spring Boot ${versions.at(-1)}`);
});

seen("a filter leaves the variants that fit", async () => {
  await visit("#/releases?q=jetty");
  const heads = await here.page.locator("table").last().locator("thead th").allTextContents();
  // of two that are alike but for the line, the line is reported
  expect(heads).toEqual(["Release", "boot3", "boot4"]);
  await here.open("#/releases?q=nothing+has+this+name");
  await drawn(here.page);
  await here.page.getByText("No variant fits these filters.").waitFor();
});

seen.each(["light", "dark"] as const)("axe finds nothing serious, %s", async (colorScheme) => {
  await here.bring(DEMO);
  const page = await here.newPage({ colorScheme, viewport: { width: 390, height: 844 } });
  await page.goto(`${here.url}#/releases`);
  await drawn(page);
  await page.locator("canvas").first().waitFor();
  expect(await serious(page)).toEqual([]);
});

seen("a history without releases says how to measure them", async () => {
  await here.publish({ runs: 12, cases: 8 });
  await here.open("#/releases");
  await drawn(here.page);
  await here.page.getByText("springbench releases 4.0.0..").waitFor();
});
