/** What another harness has measured, as its file calls it: see bench/springbench/harnesses. Pure. */

import type { Case } from "./cases";
import type { CaseRow, ClassRow, Index } from "./contract";
import { declared } from "./metrics";
import { casesOf } from "./settle";
import { valueAt } from "./values";

export type Reported = NonNullable<CaseRow["reported"]>;

// of a method of a Java class, which its name without them tells well enough
const PACKAGES = /^(?:[a-z_]\w*\.)+(?=[A-Z]\w*\.\w+$)/;

/** `ParseBench.parse, size=10: average time`. */
export function reportedName({ benchmark, parameters, figure }: Reported): string {
  const assignments = Object.entries(parameters ?? {}).map(([name, value]) => `${name}=${value}`);
  return `${[benchmark.replace(PACKAGES, ""), ...assignments].join(", ")}: ${figure}`;
}

/** The harnesses of these cases, each once; none of those that springbench itself has measured. */
export function harnessesOf(cases: readonly Case[]): readonly string[] {
  return [...new Set(cases.flatMap(({ reported }) => reported?.harness ?? []))];
}

/** Whether another harness has measured all that was measured on these hosts. */
export function isReported(index: Index, row: ClassRow): boolean {
  const cases = casesOf(index, row);
  return cases.length > 0 && cases.every(({ reported }) => reported != null);
}

/**
 * The metrics that may be drawn of these cases, in the order of the history: of another harness's
 * the one that each has, else those that springbench measures.
 */
export function metricsOf(
  index: Index,
  row: ClassRow,
  cases: readonly CaseRow[],
): readonly Index["metrics"][number][] {
  const indices = row.latest.row.flatMap((which, at) => {
    const caseRow = index.cases[which];
    return caseRow?.reported && cases.includes(caseRow) ? [at] : [];
  });
  const offersMeasured = cases.length === 0 || cases.some(({ reported }) => reported == null);
  return index.metrics.filter(({ name }) =>
    declared(name)?.reported
      ? indices.some((at) => valueAt(row.latest.metrics, name, at, 1) !== null)
      : offersMeasured,
  );
}
