/** What axe finds on a page. */

import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";

const axe = new URL("../../node_modules/axe-core/axe.min.js", import.meta.url);

interface Violation {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

/** Serious findings, each with some of the elements that it is about. */
export async function serious(page: Page): Promise<readonly string[]> {
  // run as a debugger does: the page's own policy needs no exception for it
  await page.evaluate(await readFile(axe, "utf8"));
  const violations: readonly Violation[] = await page.evaluate(async () => {
    const found = await Reflect.get(globalThis, "axe").run(document);
    return found.violations;
  });
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, nodes }) =>
      nodes.slice(0, 3).map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary}`),
    );
}
