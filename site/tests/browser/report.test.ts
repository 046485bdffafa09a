/** The report page: one file that opens from a disk, and shows a run as the dashboard does. */

import { existsSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, expect } from "vitest";
import type { Index } from "../../src/data/contract";
import { VIEWS } from "../../src/views/views";
import { drawn, expectWhole, SLIPS, seen, site } from "./site";

const TEMPLATE = new URL("../../report/report.html", import.meta.url);
const EMPTY = '<script id="springbench-data" type="application/json"></script>';
const dashboard = site();
let folder: string;
let address: string;

beforeAll(async () => {
  if (!existsSync(TEMPLATE)) throw new Error("there is no report page; run: npm run report-page");
  folder = await mkdtemp(join(tmpdir(), "springbench-report-"));
  address = pathToFileURL(join(folder, "report.html")).href;
});

afterAll(() => rm(folder, { recursive: true }));

/** What a history has published, by path: packed files as what is in them. */
async function documents(): Promise<Record<string, unknown>> {
  const top = dashboard.file("");
  const found: Record<string, unknown> = {};
  for (const path of await readdir(top, { recursive: true })) {
    if (!/\.json(\.gz)?$/.test(path)) continue;
    const bytes = await readFile(join(top, path));
    found[path] = JSON.parse(String(path.endsWith(".gz") ? gunzipSync(bytes) : bytes));
  }
  return found;
}

async function write(inside: string): Promise<void> {
  const template = await readFile(TEMPLATE, "utf8");
  expect(template.split(EMPTY)).toHaveLength(2);
  const data = EMPTY.replace("></script>", () => `>${inside}</script>`);
  await writeFile(
    join(folder, "report.html"),
    template.replace(EMPTY, () => data),
  );
}

async function writeRun(): Promise<void> {
  await dashboard.publish({ runs: 1, cases: 16 });
  await write(JSON.stringify(await documents()).replaceAll("<", "\\u003c"));
}

seen.each(VIEWS)(
  "view $id of a page on a disk is whole, and asks for no other file",
  async ({ id }) => {
    await writeRun();
    await dashboard.page.goto(`${address}#/${id}`);
    await drawn(dashboard.page);
    await expectWhole(dashboard);
    const requests = dashboard.requests.map((request) => request.replace(/#.*/, ""));
    expect(
      requests.filter((request) => !request.startsWith("data:") && request !== address),
    ).toEqual([]);
  },
);

seen("the run inside can be saved as the file that it is", async () => {
  await writeRun();
  await dashboard.page.goto(`${address}#/run`);
  await drawn(dashboard.page);
  const run = Object.keys(await documents()).find((path) => path.startsWith("runs/"));
  const id = run?.replace(/^runs\/|\.json\.gz$/g, "");
  await dashboard.page.goto(`${address}#/run?id=${id}`);
  await drawn(dashboard.page);
  const waited = dashboard.page.waitForEvent("download");
  await dashboard.page.locator(`a[download="${id}.json"]`).click();
  const saved = JSON.parse(await readFile(await (await waited).path(), "utf8"));
  expect(saved.id).toBe(id);
});

interface Compared {
  readonly id: string;
  readonly base: { readonly sha: string };
  readonly head: { readonly sha: string };
}

/** As `springbench compare` makes it: a comparison, and a history of no run. */
async function writeComparison(): Promise<void> {
  await dashboard.publish({ runs: 12, cases: 16 });
  const { "index.json": indexFile, "evidence.json.gz": evidence } = await documents();
  const index = indexFile as Index;
  const none = (columns: object) =>
    Object.fromEntries(
      Object.entries(columns).map(([key, value]) => [key, Array.isArray(value) ? [] : value]),
    );
  const { comparisons } = evidence as { comparisons: readonly Compared[] };
  const compared = comparisons.find(({ id }) => id.includes("compare"));
  const [row] = index.classes;
  const inside = {
    "index.json": {
      ...index,
      ...{ runs_total: 0, cases: [], events: [], runs: none(index.runs) },
      classes: [
        { ...row, months: [], points: [], latest: { ...none(row?.latest ?? {}), metrics: {} } },
      ],
    },
    "evidence.json.gz": { schema: 1, comparisons: [compared] },
    start: `#/compare?base=${compared?.base.sha}&head=${compared?.head.sha}`,
  };
  await write(JSON.stringify(inside).replaceAll("<", "\\u003c"));
}

seen("the page of a comparison opens on it, with its verdicts", async () => {
  await writeComparison();
  await dashboard.page.goto(address);
  await drawn(dashboard.page);
  expect(dashboard.page.url()).toContain("#/compare?base=");
  expect(await dashboard.page.locator("main tbody tr").count()).toBeGreaterThan(1);
  await expectWhole(dashboard);
});

seen.each(VIEWS)("view $id of a page without a run says what is missing", async ({ id }) => {
  await writeComparison();
  await dashboard.page.goto(`${address}#/${id}`);
  await drawn(dashboard.page);
  expect(await dashboard.page.innerText("body")).not.toMatch(SLIPS);
  expect(await dashboard.page.innerText("main")).not.toBe("");
  expect(dashboard.complaints).toEqual([]);
});

seen("a page that was cut off says so", async () => {
  await write('{"index.json": {"schema"');
  await dashboard.page.goto(address);
  await drawn(dashboard.page);
  expect(await dashboard.page.locator("[role=alert]").count()).toBe(1);
});
