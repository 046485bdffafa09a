/** What is shown, as files: rows for other programs, pictures of each chart. */

import { readFile } from "node:fs/promises";
import { expect } from "vitest";
import { drawn, seen, site } from "./site";

const dashboard = site();

/** What a click on this button saves. */
async function saved(button: string): Promise<{ name: string; bytes: Buffer }> {
  const waited = dashboard.page.waitForEvent("download");
  await dashboard.page.getByRole("button", { name: button, exact: true }).first().click();
  const download = await waited;
  return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) };
}

async function visit(view: string): Promise<void> {
  await dashboard.publish({ runs: 12, cases: 80 });
  await dashboard.open(`#/${view}`);
  await drawn(dashboard.page);
  await dashboard.page.locator("canvas").first().waitFor();
}

seen.each(["trends", "scaling", "latency"])("the chart of view '%s' is a picture", async (view) => {
  await visit(view);
  const svg = await saved("Picture as SVG");
  expect(svg.name).toMatch(/\.svg$/);
  const text = svg.bytes.toString();
  expect(text).toMatch(/^<svg/);
  // a title, what that means, and lines
  expect(text.match(/<text/g)?.length).toBeGreaterThan(4);
  expect(text.match(/<path/g)?.length).toBeGreaterThan(4);
  const png = await saved("Picture as PNG");
  expect(png.name).toMatch(/\.png$/);
  expect([...png.bytes.subarray(0, 4)]).toEqual([0x89, 0x50, 0x4e, 0x47]);
  expect(dashboard.complaints).toEqual([]);
});

seen.each(["trends", "scaling", "latency", "footprint"])(
  "the rows of view '%s' are the same as CSV and as JSON",
  async (view) => {
    await dashboard.publish({ runs: 12, cases: 80 });
    await dashboard.open(`#/${view}`);
    await drawn(dashboard.page);
    const lines = (await saved("Download as CSV")).bytes.toString().trimEnd().split("\r\n");
    const rows = JSON.parse((await saved("Download as JSON")).bytes.toString());
    expect(rows.length).toBeGreaterThan(1);
    expect(lines).toHaveLength(rows.length + 1);
    expect(lines[0]?.split(",")).toEqual(Object.keys(rows[0]));
  },
);
