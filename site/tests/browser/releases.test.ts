/** The releases of Spring Boot: measured, only compared, with a missing link, and a history without. */

import { readFile, rm, writeFile } from "node:fs/promises";
import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import { expect } from "vitest";
import type { Index } from "../../src/data/contract";
import type { PublishedComparison } from "../../src/data/published";
import { releaseOf } from "../../src/data/releases";
import { serious } from "./axe";
import { drawn, expectFits, expectWhole, PHONE, SLIPS, seen, site } from "./site";

const dashboard = site();
const DEMO = new URL("../../demo/data", import.meta.url);
/** Which has runs of all releases; the other one has compared some of them. */
const HOST = "amd-epyc-2c-24g-linux6-jdk25-1c1g-25f76f4d";

async function visit(search = ""): Promise<readonly string[]> {
  await dashboard.bring(DEMO);
  await dashboard.open(`#/releases?host=${HOST}${search}`);
  await drawn(dashboard.page);
  await dashboard.page.locator("canvas").first().waitFor();
  const { commits } = await dashboard.index();
  // the history has other runs too
  const versions = commits.flatMap((commit) => releaseOf(commit) ?? []);
  const distinct = [...new Set(versions)];
  return distinct.toSorted((a, b) => a.localeCompare(b, "en", { numeric: true }));
}

/** The same history without its runs, and with the comparisons that are wanted. */
async function bringCompared(accepts: (comparison: PublishedComparison) => boolean = () => true) {
  await dashboard.bring(DEMO);
  const path = dashboard.file("evidence.json.gz");
  const evidence = JSON.parse(String(await promisify(gunzip)(await readFile(path)))) as {
    comparisons: PublishedComparison[];
  };
  evidence.comparisons = evidence.comparisons.filter(accepts);
  await writeFile(path, await promisify(gzip)(JSON.stringify(evidence)));
  await rm(dashboard.file("runs"), { recursive: true });
  await rm(dashboard.file("series"), { recursive: true });
  await dashboard.editIndex((index) => {
    const columns = { ...index.runs, environments: [] } as unknown as Record<string, unknown[]>;
    for (const name of Object.keys(columns)) columns[name] = [];
    index.runs = columns as unknown as Index["runs"];
    Object.assign(index, { runs_total: 0, commits: [], cases: [] });
    for (const row of index.classes) {
      const latest = Object.entries(row.latest).map(([name, column]) => [
        name,
        Array.isArray(column) ? [] : {},
      ]);
      row.latest = Object.fromEntries(latest) as unknown as typeof row.latest;
      Object.assign(row, { months: [], points: [], studies: [], answers: [], claims: [] });
    }
  });
}

const numbers = () => dashboard.page.locator("table").last();

seen(
  "each release has a row, the newest first, and the first sentence says what became better",
  async () => {
    const versions = await visit();
    expect(await numbers().locator("tbody th").allTextContents()).toEqual(versions.toReversed());
    const answer = await dashboard.page.locator(".answer").first().textContent();
    expect(answer).toBe(`From ${versions[0]} to ${versions.at(-1)} changes are confirmed.`);
    const better = dashboard.page.locator("h2:text('Better, confirmed') + ul");
    expect(await better.textContent()).toMatch(
      /% \(.*“hello \(a short text\) · HTTP\/1.1”.*\(4\.0\.2 → 4\.0\.3\)/,
    );
    expect(await dashboard.page.locator("main").textContent()).not.toMatch(SLIPS);
    expect(dashboard.complaints).toEqual([]);
  },
);

seen("it begins with the hosts that have compared releases last", async () => {
  await dashboard.bring(DEMO);
  await dashboard.open("#/releases");
  await drawn(dashboard.page);
  expect(await dashboard.page.locator("#host").inputValue()).not.toBe(HOST);
  const worse = dashboard.page.locator("h2:text('Worse, confirmed') + ul");
  expect(await worse.textContent()).toMatch(/^Throughput −79\.9\s%.*“pay .*on Jetty virtual/);
  const better = dashboard.page.locator("h2:text('Better, confirmed') + ul");
  expect(await better.textContent()).toMatch(
    /CPU time of methods 2\.6 % → 0\.0 % in Ascii\.toLower/,
  );
  const steps = dashboard.page.locator("table.steps tbody tr th");
  expect(await steps.allTextContents()).toEqual([
    "3.5.5 → 3.5.7",
    "3.5.5 → 3.5.7",
    "4.0.2 → 4.0.3",
  ]);
});

seen("a metric that is chosen stands in the title of the chart and in the address", async () => {
  await visit();
  await dashboard.page.getByLabel("Metric").selectOption({ label: "Startup" });
  await dashboard.page.getByRole("heading", { name: "Startup by release" }).waitFor();
  expect(dashboard.page.url()).toContain("metric=startup_s");
});

seen("changes are counted from the release that is chosen", async () => {
  await visit("&q=boot4-tomcat");
  await dashboard.page.getByRole("heading", { name: "compared with 4.0.0" }).waitFor();
  await dashboard.page.getByLabel("Changes since").selectOption({ label: "4.0.3" });
  await dashboard.page.getByRole("heading", { name: "compared with 4.0.3" }).waitFor();
  expect(dashboard.page.url()).toContain("since=4.0.3");
  const row = numbers().locator("tbody tr", {
    has: dashboard.page.getByText("4.0.3", { exact: true }),
  });
  expect(await row.first().locator("td").first().textContent()).toContain("begins here");
});

seen("a release leads to its comparison with the one before it", async () => {
  const versions = await visit();
  await numbers()
    .getByRole("link", { name: versions.at(-1) ?? "", exact: true })
    .click();
  await drawn(dashboard.page);
  expect(dashboard.page.url()).toMatch(/#\/compare\?.*base=[0-9a-f]{12}.*head=[0-9a-f]{12}/);
  expect(await dashboard.page.locator("main").textContent()).toContain(
    `Spring Boot ${versions.at(-1)}`,
  );
});

seen("a filter leaves the variants that fit", async () => {
  await visit("&q=jetty");
  // of two that are alike but for the line, the line is reported
  expect(await numbers().locator("thead th").allTextContents()).toEqual([
    "Release",
    "boot3",
    "boot4",
  ]);
  await dashboard.open("#/releases?q=nothing+has+this+name");
  await drawn(dashboard.page);
  await dashboard.page.getByText("No variant fits these filters.").waitFor();
});

seen("releases that were only compared are what the page opens with", async () => {
  await bringCompared();
  const { page } = dashboard;
  await dashboard.open();
  await drawn(page);
  await page.locator("canvas").first().waitFor();
  await expectWhole(dashboard);
  const views = await page.locator("header nav a").allTextContents();
  expect(views).toEqual(["Compare", "Regressions", "Releases"]);
  const rows = await numbers().locator("tbody tr").allTextContents();
  expect(rows.find((text) => text.startsWith("4.0.3"))).toMatch(/since 4\.0\.2: −.*%/);
  expect(rows.join(" ")).not.toContain("1 run");
  await numbers().getByRole("link", { name: "4.0.3", exact: true }).click();
  await drawn(page);
  await page.getByRole("heading", { name: "Measured side by side" }).waitFor();
  expect(dashboard.complaints).toEqual([]);
  await dashboard.open("#/overview");
  await page.getByRole("heading", { name: "Releases", level: 1 }).waitFor();
  await dashboard.open("#/compare");
  await page.getByText("These hosts have measured no run").waitFor();
});

seen("a missing link breaks the chain, and is named with what compares the two", async () => {
  await bringCompared(({ head }) => head.message !== "Spring Boot 4.0.5");
  await dashboard.open("#/releases?q=boot4-tomcat");
  await drawn(dashboard.page);
  // 4.0.5 is there as the base of the next one
  await dashboard.page.getByText("The chain breaks between 4.0.4 and 4.0.5.").waitFor();
  await dashboard.page.getByText("springbench releases 4.0.4 4.0.5 --rounds 0").waitFor();
  // most releases are beyond it
  await dashboard.page.getByRole("heading", { name: "compared with 4.0.5" }).waitFor();
});

seen.each(["light", "dark"] as const)("axe finds nothing serious, %s", async (colorScheme) => {
  const { page } = dashboard;
  await dashboard.bring(DEMO);
  await page.emulateMedia({ colorScheme });
  await page.setViewportSize(PHONE);
  await dashboard.open("#/releases");
  await drawn(page);
  await page.locator("canvas").first().waitFor();
  expect(await serious(page)).toEqual([]);
  await expectFits(page);
});

seen("a history without releases says how to measure them", async () => {
  await dashboard.publish({ runs: 12, cases: 8 });
  await dashboard.open("#/releases");
  await drawn(dashboard.page);
  await dashboard.page.getByText("springbench releases 4.0.0..").waitFor();
});
