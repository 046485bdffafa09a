/** The answers: sentences, a chart that says the same, the figures, and what is still open. */

import { expect } from "vitest";
import { CLAIMS } from "../../src/data/claims";
import { drawn, expectWhole, PHONE, seen, site, WIDE } from "./site";

const dashboard = site();

seen("a visitor sees each question with its answer, its chart and its source", async () => {
  const { page } = dashboard;
  await dashboard.publish({ runs: 3, cases: 8 });
  await dashboard.open();
  await drawn(page);
  await expectWhole(dashboard);
  const sections = page.locator(".asked");
  expect(await sections.locator("h2").allTextContents()).toEqual([
    "How small can the pod be?",
    "What do TLS and HTTP/2 cost, by server?",
    "Behind a full thread pool: how many requests can wait a second?",
  ]);
  const protocols = sections.nth(1);
  expect(await protocols.locator(".answer").textContent()).toMatch(
    /TLS makes Jetty and Tomcat 18 to 34/,
  );
  expect(await protocols.locator("figure li").allTextContents()).toEqual([
    "TLS82 % [80, 85]",
    "HTTP/2108.0 % [104.0, 112.0]",
    "HTTP/2 with TLSdid not run",
    "TLS66 % [63, 69]",
    "HTTP/298.0 % [90.0, 106.0]",
    "TLS79 %, one process",
    "HTTP/2not measured",
  ]);
  expect(await protocols.locator(".source").allTextContents()).toEqual([
    "Not measured: Netty HTTP/2.",
    expect.stringMatching(/^A share compares processes of the same round/),
    expect.stringMatching(
      /^Measured on 2026-.*Some CPU, 2 CPUs.*64 connections.*springbench ask protocols$/,
    ),
  ]);
  expect(await sections.first().locator("figure li").allTextContents()).toEqual([
    "Tomcatabove 160 MiB, at most 176 MiB",
    "Jetty64 MiB or less",
    "Undertowabove 112 MiB, at most 128 MiB (128 MiB by the middle of its interval alone)",
    "Nettyno step is enough (it did not start)",
  ]);
  const open = page.locator(".open-list li");
  expect(await open.first().textContent()).toMatch(/cost\? springbench ask boot$/);
});

seen("each question is a click away, and has an address of its own", async () => {
  const { page } = dashboard;
  await dashboard.publish({ runs: 3, cases: 8 });
  await dashboard.open();
  await drawn(page);
  const links = page.locator(".questions a");
  const headings = await page.locator(".asked h2").allTextContents();
  expect(await links.allTextContents()).toEqual([
    ...headings,
    expect.stringMatching(/^Not measured on these hosts: \d+$/),
  ]);
  const inSight = (name: string) =>
    page.getByRole("heading", { name, exact: true }).evaluate((heading) => {
      const { top, bottom } = heading.getBoundingClientRect();
      return top >= 0 && bottom <= innerHeight;
    });
  const last = headings.at(-1) ?? "";
  // also after a reader has scrolled back
  for (const _ of [1, 2]) {
    await links.nth(headings.length - 1).click();
    await expect.poll(() => inSight(last)).toBe(true);
    await page.evaluate(() => scrollTo(0, 0));
  }
  const address = page.url();
  await page.goto("about:blank");
  await page.goto(address);
  await drawn(page);
  await expect.poll(() => inSight(last)).toBe(true);
  await links.last().click();
  await expect.poll(() => inSight("Not measured on these hosts yet")).toBe(true);
});

seen("a dot stands on its side of the baseline, on a phone too", async () => {
  const { page } = dashboard;
  await dashboard.publish({ runs: 3, cases: 8 });
  for (const size of [WIDE, PHONE]) {
    await page.setViewportSize(size);
    await dashboard.open();
    await drawn(page);
    const lines = page.locator("figure.ratios li:has(.base):has(.dot)");
    const sides = await lines.evaluateAll((all) =>
      all.map((line) => {
        const [dot, base] = [".dot", ".base"].map((selector) => line.querySelector(selector));
        const left = (element: Element | null | undefined) =>
          element?.getBoundingClientRect().left ?? 0;
        return { tone: line.className, off: left(dot) + 5 - left(base) };
      }),
    );
    expect(sides.map(({ tone, off }) => `${tone} ${off > 0 ? "right" : "left"}`)).toEqual([
      "worse left",
      "better right",
      "worse left",
      "same left",
      "same left",
    ]);
  }
});

seen("the figures are behind a click, with a file of them", async () => {
  const { page } = dashboard;
  await dashboard.publish({ runs: 3, cases: 8 });
  await dashboard.open();
  await drawn(page);
  const protocols = page.locator(".asked").nth(1);
  expect(await protocols.locator("tbody tr:visible").count()).toBe(0);
  await protocols.locator("summary").first().click();
  expect(await protocols.locator("tbody tr:visible").count()).toBe(10);
  expect(await protocols.locator("tbody tr").nth(1).textContent()).toMatch(
    /^JettyTLS32,800\/s82 % \[80, 85\] of the baseline/,
  );
  const waited = page.waitForEvent("download");
  await protocols.getByRole("button", { name: "Download as CSV", exact: true }).click();
  expect((await waited).suggestedFilename()).toBe("answer-protocols.csv");
});

seen.each([
  ["en-US", "2 of 3", "thread cap", "3 rounds of fresh processes, loaded alternately."],
  ["zh-CN", "3 个中的 2 个", "线程上限", "3 轮全新进程，交替加载。"],
])("in %s a row says how many processes count and what limits it", async (locale, ...said) => {
  const [counted, limit, note] = said;
  await dashboard.publish({ runs: 3, cases: 8 });
  const page = await dashboard.newPage({ locale });
  await page.goto(dashboard.url);
  await drawn(page);
  const waiting = page.locator(".asked").nth(2);
  const cells = waiting.locator("tbody tr").first().locator("td");
  expect((await cells.allTextContents()).slice(-2)).toEqual([
    counted,
    `${limit}200 at once (server.tomcat.threads.max)`,
  ]);
  expect((await waiting.locator(".notes li").allTextContents())[0]).toBe(note);
});

seen("claims of others stand with their verdicts before the studies", async () => {
  const { page } = dashboard;
  await dashboard.publish({ runs: 3, cases: 8 });
  await dashboard.open("#/studies");
  await drawn(page);
  const rows = page.locator("table.claims tbody tr");
  expect(await rows.count()).toBe(2);
  expect(await rows.first().textContent()).toMatch(/holds within 2 %.*4\.98 × \[4\.71, 5\.2\]/);
  expect(await rows.last().textContent()).toMatch(/something else was the bottleneckthread cap/);
  expect(await page.locator(".open-list li").count()).toBe(CLAIMS.length - 2);
});

seen("old addresses of the sections lead to them, with Answers above", async () => {
  const { page } = dashboard;
  await dashboard.publish({ runs: 3, cases: 16 });
  for (const id of ["scaling", "footprint", "latency", "studies"]) {
    await dashboard.open(`#/${id}`);
    await drawn(page);
    expect(await page.textContent("header nav [aria-current=page]")).toBe("Answers");
    expect(await page.locator("nav.sections a").count()).toBe(5);
  }
});
