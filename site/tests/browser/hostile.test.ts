/** Published files are a stranger's: hostile words, names that lead elsewhere, odd numbers. */

import { expect } from "vitest";
import { CLAIMS } from "../../src/data/claims";
import { VIEWS } from "../../src/views/views";
import { poisoned, rewrite } from "./files";
import { drawn, SLIPS, seen, site, withoutMissing } from "./site";

const dashboard = site();
const TURNS_WRITING = /[\u202a-\u202e\u2066-\u2069]/;
const EVIL = "\u202e<img src=x onerror=alert(1)><script>alert(2)</script>\u2066";

/** Everything that a reader, or what reads aloud, is given. */
function allWords(): Promise<string> {
  return dashboard.page.evaluate(() => {
    const names = ["title", "aria-label", "aria-valuetext", "placeholder"];
    const attributes = [...document.querySelectorAll("body *")].flatMap((element) =>
      names.map((name) => element.getAttribute(name) ?? ""),
    );
    return [document.title, document.body.innerText, ...attributes].join("\n");
  });
}

/** Addresses in the page that lead out of it. */
async function leadElsewhere(): Promise<readonly string[]> {
  const addresses = await dashboard.page
    .locator("[href], [src]")
    .evaluateAll((all) =>
      all.map((element) => String(Reflect.get(element, "href") ?? Reflect.get(element, "src"))),
    );
  // sources of claims come with the page, and are nobody's data
  const inside = [dashboard.url, "data:,", "blob:", ...CLAIMS.map(({ address }) => address)];
  return addresses.filter((address) => !inside.some((start) => address.startsWith(start)));
}

seen.each(VIEWS)("words of others never become markup in view $id", async ({ id }) => {
  const { page, complaints } = dashboard;
  await dashboard.publish({ runs: 12, cases: 16 });
  await rewrite(dashboard.file(""), /\.json(\.gz)?$/, (text) =>
    JSON.stringify(poisoned(JSON.parse(text), EVIL)),
  );
  await dashboard.open(`#/${id}`);
  await drawn(page);
  expect(await page.locator("main h1").count()).toBe(1);
  expect(await page.locator("img, body script").count()).toBe(0);
  const words = await allWords();
  expect(words).toContain("<img src=x onerror=alert(1)>");
  expect(words).not.toMatch(TURNS_WRITING);
  expect(await leadElsewhere()).toEqual([]);
  expect(complaints).toEqual([]);
});

seen.each(VIEWS)("names of cases are no markup in view $id either", async ({ id }) => {
  const { page } = dashboard;
  await dashboard.publish({ runs: 3, cases: 2 });
  await dashboard.editIndex(({ cases: [first], metrics: [metric] }) => {
    if (first === undefined || metric === undefined) throw new Error("no case");
    Object.assign(first, { boot: EVIL, server: EVIL, model: EVIL, runtime: EVIL, workload: EVIL });
    Object.assign(first, { case: `${EVIL}/x/1`, configuration: EVIL });
    Object.assign(metric, { name: EVIL, unit: EVIL });
  });
  await dashboard.open(`#/${id}`);
  await drawn(page);
  expect(await page.locator("img, body script").count()).toBe(0);
  expect(await allWords()).not.toMatch(TURNS_WRITING);
  expect(await leadElsewhere()).toEqual([]);
  expect(withoutMissing(dashboard.complaints)).toEqual([]);
});

seen.each(VIEWS)("view $id asks for nothing outside of its folder", async ({ id }) => {
  const { page, requests } = dashboard;
  await dashboard.publish({ runs: 3, cases: 1 });
  await dashboard.editIndex(({ classes: [row], cases: [caseRow], runs }) => {
    if (row === undefined || caseRow === undefined) throw new Error("no class");
    row.class = "../../..";
    caseRow.configuration = "../../../x?y";
    for (const month of row.months) month.month = "//elsewhere.example/x";
    runs.id = runs.id.map(() => "../../evil");
  });
  await dashboard.open(`#/${id}`);
  await drawn(page);
  expect(requests.filter((address) => !address.startsWith(dashboard.url))).toEqual([]);
  expect(requests.filter((address) => /evil|elsewhere|\.\.|%2e/i.test(address))).toEqual([]);
});

seen.each(VIEWS)("odd numbers cost view $id nothing", async ({ id }) => {
  const { page } = dashboard;
  const odd = [1e308, -1, 0, null, 1e-308, 5e300];
  await dashboard.publish({ runs: 12, cases: 16 });
  await rewrite(dashboard.file(""), /\.json(\.gz)?$/, (text) =>
    JSON.stringify(JSON.parse(text), (key, value) =>
      ["median", "low", "high"].includes(key) && Array.isArray(value)
        ? value.map((item, at) => (at % 3 === 0 ? odd[(at / 3) % odd.length] : item))
        : value,
    ),
  );
  await dashboard.open(`#/${id}`);
  await drawn(page);
  expect(await page.locator("main h1").count()).toBe(1);
  expect(await page.innerText("body")).not.toMatch(SLIPS);
  expect(dashboard.complaints).toEqual([]);
});
