/** From what an address asks for to a series that the data have. Pure. */

import type { CaseRow, ClassRow, Index } from "./contract";

/**
 * Whether hosts have what is wanted: among the cases that they have measured, in their row, or among
 * the events of the history.
 */
export type IsWanted = (cases: readonly CaseRow[], row: ClassRow, index: Index) => boolean;

/** The series of a case that was measured last: how a reader most likely wants it. */
function newestOf(index: Index, { latest }: ClassRow, caseId: string): CaseRow | undefined {
  const times = latest.row.flatMap((which, at) => {
    const row = index.cases[which];
    return row?.case === caseId ? [{ row, time: latest.time[at] ?? "" }] : [];
  });
  return times.toSorted((a, b) => a.time.localeCompare(b.time)).at(-1)?.row;
}

/**
 * The host class of the newest run, which a reader most likely wants: of those that have what is
 * wanted, else of those that springbench has measured on, else of all.
 */
function newestClass(index: Index, isWanted: IsWanted): ClassRow | undefined {
  const having = (accepts: IsWanted) =>
    index.classes.filter((row) => accepts(casesOf(index, row), row, index));
  const isMeasured: IsWanted = (cases) => cases.some(({ reported }) => reported == null);
  const preferred = [having(isWanted), having(isMeasured)];
  const classes = preferred.find(({ length }) => length > 0) ?? index.classes;
  const newest = index.runs.id.findLast((id) =>
    classes.some(({ latest }) => latest.run.includes(id)),
  );
  const has = ({ latest }: ClassRow) => newest !== undefined && latest.run.includes(newest);
  return classes.find(has) ?? classes[0];
}

/** The cases that were measured at least once on the hosts of a class. */
export function casesOf(index: Index, row: ClassRow): readonly CaseRow[] {
  return index.cases.filter((_, at) => (row.points[at] ?? 0) > 0);
}

/**
 * The class of that name, else that of the newest run, where there is one that has what is wanted;
 * null for an empty history.
 */
export function settleClass(
  index: Index,
  name: string | null,
  isWanted: IsWanted = () => false,
): ClassRow | null {
  const named = index.classes.find((hostClass) => hostClass.class === name);
  return named ?? newestClass(index, isWanted) ?? null;
}

/** The series of a case as an address names it: `case@configuration`, or the case alone. */
export function settleSeries(index: Index, row: ClassRow, name: string): CaseRow | null {
  const [id = "", how] = name.split("@", 2);
  const cases = casesOf(index, row);
  return (
    cases.find((caseRow) => caseRow.case === id && caseRow.configuration === how) ??
    newestOf(index, row, id) ??
    cases.find((caseRow) => caseRow.case === id) ??
    null
  );
}
