/** Comparisons of releases as the tests need them. */

import type { Finding } from "../src/data/chain";
import type { PublishedComparison } from "../src/data/published";
import { comparison } from "./published";

/** `4.0.1` beside `4.0.0`, as `springbench releases` compares neighbours. */
export function compared(
  before: string,
  after: string,
  finding: Partial<Finding> = {},
  more: Partial<PublishedComparison> = {},
): PublishedComparison {
  const template = comparison(finding);
  const commit = (version: string) => ({
    ...template.base,
    sha: version.replaceAll(".", "").padEnd(12, "0"),
    message: `Spring Boot ${version}`,
  });
  return {
    ...template,
    id: `${before}-${after}`,
    base: commit(before),
    head: commit(after),
    ...more,
  };
}

/** A finding whose interval reaches so far on either side, as logarithms. */
export function around(log: number, half: number): Partial<Finding> {
  return {
    ratio: Math.exp(log),
    low_ratio: Math.exp(log - half),
    high_ratio: Math.exp(log + half),
  };
}
