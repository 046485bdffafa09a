/** From what an address asks for to a series that the data have. Pure. */

import { closest, variantOf } from "./cases";
import type { Choice } from "./choice";
import type { CaseRow, ClassRow, Index } from "./contract";

/** The series of a case that was measured last: how a reader most likely wants it. */
function newestOf(index: Index, { latest }: ClassRow, caseId: string): CaseRow | undefined {
  const times = latest.row.flatMap((which, at) => {
    const row = index.cases[which];
    return row?.case === caseId ? [{ row, time: latest.time[at] ?? "" }] : [];
  });
  return times.toSorted((a, b) => a.time.localeCompare(b.time)).at(-1)?.row;
}

/** The host class of the newest run, which a reader most likely wants. */
function newestClass(index: Index): ClassRow | undefined {
  const newest = index.runs.id.at(-1);
  const has = ({ latest }: ClassRow) => newest !== undefined && latest.run.includes(newest);
  return index.classes.find(has) ?? index.classes[0];
}

/** The cases that were measured at least once on the hosts of a class. */
export function casesOf(index: Index, row: ClassRow): readonly CaseRow[] {
  return index.cases.filter((_, at) => (row.points[at] ?? 0) > 0);
}

/** The class, and the choice that comes closest to what is asked. Null for an empty history. */
export function settle(
  index: Index,
  asked: Partial<Choice>,
): { readonly row: ClassRow; readonly choice: Choice } | null {
  const row = index.classes.find((each) => each.class === asked.host) ?? newestClass(index);
  if (row === undefined) return null;
  const cases = casesOf(index, row);
  const known =
    index.cases.find((each) => each.case === asked.case && each.conditions === asked.how) ??
    newestOf(index, row, asked.case ?? "") ??
    index.cases.find((each) => each.case === asked.case);
  const firstLatest = index.cases[row.latest.row[0] ?? -1];
  const from = known ?? firstLatest ?? cases[0];
  if (from === undefined) return null;
  const found = closest(cases, { ...from, variant: variantOf(from) }) ?? from;
  const metric = index.metrics.find(({ name }) => name === asked.metric) ?? index.metrics[0];
  if (metric === undefined) return null;
  const choice = { case: found.case, how: found.conditions, metric: metric.name, host: row.class };
  return { row, choice };
}
