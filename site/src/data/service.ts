/** Somebody's own service, as a springbench.toml describes it: it is no server of Spring Boot. */

import type { CaseRow, Index } from "./contract";

// what stands in the place of a line of Spring Boot: bench/springbench/matrix/service_rows.py
const SERVICE_BOOT = "app";

/** Whether a history is of one's own service alone. */
export function isOfService({ cases }: Pick<Index, "cases">): boolean {
  const measuredCases = measuredCasesOf(cases);
  return measuredCases.length > 0 && measuredCases.every(({ boot }) => boot === SERVICE_BOOT);
}

/** The cases that no other harness has measured. */
function measuredCasesOf(cases: readonly CaseRow[]): readonly CaseRow[] {
  return cases.filter(({ reported }) => reported == null);
}

/** The names of the services that a history is of. */
export function servicesOf({ cases }: Pick<Index, "cases">): readonly string[] {
  return [...new Set(measuredCasesOf(cases).map(({ server }) => server))];
}

/**
 * The service that a case is of; null for a server of Spring Boot. What another harness has
 * measured counts as of one, called as runs call it: `by-jmh`.
 */
export function serviceOf({
  boot,
  server,
  reported,
}: Pick<CaseRow, "boot" | "server" | "reported">): string | null {
  if (reported != null) return `by-${boot}`;
  return boot === SERVICE_BOOT ? server : null;
}

/**
 * The service of each case, where they are of several, or of servers as well; else null for each.
 * What one costs says nothing of another: they are shown apart, and never ranked together.
 */
export function subjectOf(cases: readonly CaseRow[]): (caseRow: CaseRow) => string | null {
  const several = new Set(cases.map(serviceOf)).size > 1;
  return (caseRow) => (several ? serviceOf(caseRow) : null);
}

/** The service of a run by its cases; empty for servers of Spring Boot, null where not all agree. */
export function serviceOfRun({ cases }: { readonly cases: readonly CaseRow[] }): string | null {
  const [only = "", ...otherServices] = new Set(cases.map((caseRow) => serviceOf(caseRow) ?? ""));
  return cases.length > 0 && otherServices.length === 0 ? only : null;
}

/** The service of a run in words; none of another harness, which its profile names already. */
export function serviceWords(service: string | null): string {
  return service === null || service.startsWith("by-") ? "" : service;
}

/** Whether a case is of one's own service, by its id. */
export function isServiceCase(id: string): boolean {
  return id.startsWith(`${SERVICE_BOOT}-`);
}
