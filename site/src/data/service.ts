/** Somebody's own service, as a springbench.toml describes it: it is no server of Spring Boot. */

import type { Index } from "./contract";

// what stands in the place of a line of Spring Boot: bench/springbench/matrix/service_rows.py
const SERVICE_BOOT = "app";

/** Whether a history is of one's own service alone. */
export function isOfService({ cases }: Pick<Index, "cases">): boolean {
  return cases.length > 0 && cases.every(({ boot }) => boot === SERVICE_BOOT);
}

/** The names of the services that a history is of. */
export function servicesOf({ cases }: Pick<Index, "cases">): readonly string[] {
  return [...new Set(cases.map(({ server }) => server))];
}

/** Whether a case is of one's own service, by its id. */
export function isServiceCase(id: string): boolean {
  return id.startsWith(`${SERVICE_BOOT}-`);
}
