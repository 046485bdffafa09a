/** The overview: the newest of each case, and where it leads. */

import { expect } from "vitest";
import type { Event, Index } from "../../src/data/contract";
import { drawn, seen, site } from "./site";

const dashboard = site();

seen("the first published run is an answer and a cell", async () => {
  const { page } = dashboard;
  await dashboard.publish({ runs: 1, cases: 1 });
  await dashboard.open("#/overview");
  await drawn(page);
  expect(await page.locator("table.heat td a").count()).toBe(1);
  // one row is no ranking: its throughput stands there as it is
  expect(await page.textContent("table.heat .value")).toMatch(/^[\d,.]+\/s$/);
  expect(await page.textContent(".measured")).toContain("2026-01-05");
});

seen(
  "the history of one's own service is called by its name, without what others asked",
  async () => {
    const { page } = dashboard;
    await dashboard.publish({ runs: 2, cases: 1 });
    await dashboard.editIndex(({ cases: [only] }) => {
      if (only === undefined) throw new Error("no case");
      Object.assign(only, { boot: "app", server: "orders", model: "own" });
      only.case = only.case.replace(/^[a-z0-9]+-[a-z0-9]+-[a-z0-9]+/, "app-orders-own");
    });
    await dashboard.open("#/overview");
    await drawn(page);
    expect(await page.textContent("h1")).toBe("What orders costs");
    // a single number is no rank
    expect(await page.textContent(".question .answer")).toMatch(
      /^orders own \S* ?answers [\d.,]+\/s\.$/,
    );
    expect(await page.textContent(".measured")).toContain(
      "One case, as it was measured last, on 20",
    );
    const views = await page.locator("header nav a").allTextContents();
    expect(views).toContain("Regressions");
    expect(views).not.toContain("Studies");
    expect(views).not.toContain("Releases");
    expect(dashboard.complaints).toEqual([]);
  },
);

seen("each workload has its question, each case its cell, each cell its series", async () => {
  const { page } = dashboard;
  await dashboard.publish({ runs: 12, cases: 16 });
  await dashboard.open("#/overview");
  await drawn(page);
  expect(await page.locator(".question .answer").count()).toBe(2);
  const links = await page
    .locator("table.heat td a")
    .evaluateAll((all) => all.map((link) => link.getAttribute("href")));
  expect(links).toHaveLength(16);
  expect(new Set(links).size).toBe(16);
  expect(links).toContain("#/trends?s=boot4-tomcat-platform-jvm/hello/100@push-5x10s");
  expect(await page.locator(".question .answer").first().textContent()).toMatch(
    / is the fastest; | are tied; /,
  );
});

seen("a case that was measured in two ways shows the newer one", async () => {
  const { page } = dashboard;
  await dashboard.publish({ runs: 3, cases: 1 });
  await dashboard.editIndex(alsoNightly);
  await dashboard.open("#/overview");
  await drawn(page);
  expect(await page.locator("table.heat td a").count()).toBe(1);
  expect(await page.textContent(".measured")).toContain("nightly, 3 × 10 s");
  expect(await page.getAttribute("table.heat td a", "href")).toContain("@nightly-3x10s");
});

/** The only case of an index, measured once more in another way, a month later. */
function alsoNightly(index: Index): void {
  const [row] = index.classes;
  const [only] = index.cases;
  if (row === undefined || only === undefined) throw new Error("no case");
  index.cases.push({ ...only, configuration: "nightly-3x10s" });
  row.points.push(1);
  const { metrics, texts: _, ...columns } = row.latest;
  const tables: readonly object[] = [columns, ...Object.values(metrics)];
  for (const column of tables.flatMap((table): unknown[][] => Object.values(table))) {
    column.push(column[0]);
  }
  row.latest.row = [0, 1];
  row.latest.time = ["2026-01-01T00:00:00Z", "2026-02-01T00:00:00Z"];
}

seen("what failed is said in its cell, what may not be ranked has no share", async () => {
  const { page } = dashboard;
  await dashboard.publish({ runs: 2, cases: 8 });
  await dashboard.editIndex(({ classes: [row] }) => {
    if (row === undefined) throw new Error("no class");
    row.latest.status[0] = "failed";
    row.latest.bottleneck[1] = "load-generator";
  });
  await dashboard.open("#/overview");
  await drawn(page);
  expect(await page.textContent("table.heat td.failed")).toBe("failed");
  expect(await page.locator("td.unranked .value").allTextContents()).toEqual(["–"]);
  expect(await page.locator("td.unranked .bottleneck").allTextContents()).toEqual([
    "load generator",
  ]);
});

seen("open regressions stand on top, settled ones do not", async () => {
  const { page } = dashboard;
  await dashboard.publish({ runs: 4, cases: 8 });
  await dashboard.editIndex((index) => {
    index.events = [];
  });
  await dashboard.open("#/overview");
  await drawn(page);
  expect(await page.textContent("main")).toContain("No regression is open.");
  await dashboard.editIndex((index) => {
    index.events = [
      regression(index, "confirmed", "jetty virtual"),
      regression(index, "fixed", "undertow"),
      { ...regression(index, "confirmed", "netty"), direction: "improvement" },
    ];
  });
  await dashboard.open("#/overview");
  await drawn(page);
  const headings = await page.locator("main h1, main h2").allTextContents();
  expect(headings[1]).toBe("Open regressions: 1");
  expect(await page.locator(".alerts li").allTextContents()).toEqual([
    expect.stringMatching(/jetty virtual.*Throughput −8\.0 %/),
  ]);
});

function regression(
  { commits, cases: [caseRow] }: Index,
  state: Event["state"],
  shared: string,
): Event {
  const [before, after] = commits.slice(-2);
  if (before === undefined || after === undefined || caseRow === undefined)
    throw new Error("no runs");
  const levels = { before: 200, after: 184, ratio: 0.92, low_ratio: 0.9, high_ratio: 0.94 };
  const metric = { metric: "throughput_rps", unit: "rps", better: "higher" } as const;
  const series = {
    case: caseRow.case,
    configuration: caseRow.configuration,
    host_class: "c0ffee12",
  };
  return {
    id: `regression-${shared.replace(" ", "-")}`,
    kind: "step",
    direction: "regression",
    state,
    culprit: { before, after, exact: true },
    run: "20260105T080000Z-push-00000003",
    shared,
    affected_series: [{ ...series, ...metric, ...levels }],
  };
}

seen("runs to be read with care are said so", async () => {
  const { page } = dashboard;
  await dashboard.publish({ runs: 4, cases: 1 });
  await dashboard.open("#/overview");
  await drawn(page);
  expect(await page.textContent(".measured .mark")).toContain("the host had drifted");
});
