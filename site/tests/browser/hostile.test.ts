/** Published files are a stranger's: hostile words, names that lead elsewhere, odd numbers. */

import { expect } from "vitest";
import { CLAIMS } from "../../src/data/claims";
import { VIEWS } from "../../src/views/views";
import { poisoned, rewrite } from "./files";
import { drawn, SLIPS, seen, site, withoutMissing } from "./site";

const here = site();
const TURNS_WRITING = /[\u202a-\u202e\u2066-\u2069]/;
const EVIL = "\u202e<img src=x onerror=alert(1)><script>alert(2)</script>\u2066";

/** Everything that a reader, or what reads aloud, is given. */
function allWords(): Promise<string> {
  return here.page.evaluate(() => {
    const names = ["title", "aria-label", "aria-valuetext", "placeholder"];
    const attributes = [...document.querySelectorAll("body *")].flatMap((each) =>
      names.map((name) => each.getAttribute(name) ?? ""),
    );
    return [document.title, document.body.innerText, ...attributes].join("\n");
  });
}

/** Addresses in the page that lead out of it. */
async function leadElsewhere(): Promise<readonly string[]> {
  const addresses = await here.page
    .locator("[href], [src]")
    .evaluateAll((all) =>
      all.map((each) => String(Reflect.get(each, "href") ?? Reflect.get(each, "src"))),
    );
  // sources of claims come with the page, and are nobody's data
  const inside = [here.url, "data:,", "blob:", ...CLAIMS.map(({ address }) => address)];
  return addresses.filter((each) => !inside.some((start) => each.startsWith(start)));
}

seen.each(VIEWS)("words of others never become markup in view $id", async ({ id }) => {
  const { page, complaints } = here;
  await here.publish({ runs: 12, cases: 16 });
  await rewrite(here.file(""), /\.json(\.gz)?$/, (text) =>
    JSON.stringify(poisoned(JSON.parse(text), EVIL)),
  );
  await here.open(`#/${id}`);
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
  const { page } = here;
  await here.publish({ runs: 3, cases: 2 });
  await here.editIndex(({ cases: [first], metrics: [metric] }) => {
    if (first === undefined || metric === undefined) throw new Error("no case");
    Object.assign(first, { boot: EVIL, server: EVIL, model: EVIL, runtime: EVIL, workload: EVIL });
    Object.assign(first, { case: `${EVIL}/x/1`, configuration: EVIL });
    Object.assign(metric, { name: EVIL, unit: EVIL });
  });
  await here.open(`#/${id}`);
  await drawn(page);
  expect(await page.locator("img, body script").count()).toBe(0);
  expect(await allWords()).not.toMatch(TURNS_WRITING);
  expect(await leadElsewhere()).toEqual([]);
  expect(withoutMissing(here.complaints)).toEqual([]);
});

seen.each(VIEWS)("view $id asks for nothing outside of its folder", async ({ id }) => {
  const { page, asked } = here;
  await here.publish({ runs: 3, cases: 1 });
  await here.editIndex(({ classes: [row], cases: [of], runs }) => {
    if (row === undefined || of === undefined) throw new Error("no class");
    row.class = "../../..";
    of.configuration = "../../../x?y";
    for (const month of row.months) month.month = "//elsewhere.example/x";
    runs.id = runs.id.map(() => "../../evil");
  });
  await here.open(`#/${id}`);
  await drawn(page);
  expect(asked.filter((each) => !each.startsWith(here.url))).toEqual([]);
  expect(asked.filter((each) => /evil|elsewhere|\.\.|%2e/i.test(each))).toEqual([]);
});

seen.each(VIEWS)("odd numbers cost view $id nothing", async ({ id }) => {
  const { page } = here;
  const odd = [1e308, -1, 0, null, 1e-308, 5e300];
  await here.publish({ runs: 12, cases: 16 });
  await rewrite(here.file(""), /\.json(\.gz)?$/, (text) =>
    JSON.stringify(JSON.parse(text), (key, value) =>
      ["median", "low", "high"].includes(key) && Array.isArray(value)
        ? value.map((each, at) => (at % 3 === 0 ? odd[(at / 3) % odd.length] : each))
        : value,
    ),
  );
  await here.open(`#/${id}`);
  await drawn(page);
  expect(await page.locator("main h1").count()).toBe(1);
  expect(await page.innerText("body")).not.toMatch(SLIPS);
  expect(here.complaints).toEqual([]);
});
