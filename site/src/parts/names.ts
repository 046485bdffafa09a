/** Names of what was measured, as people say them. */

import { type Case, configurationWords } from "../data/cases";
import { reportedName } from "../data/reported";
import names from "../generated/names.json";
import { oneLine, quantity } from "../words/format";

/** The usual one goes without saying. */
const USUAL_RUNTIME = "jvm";

/** `Tomcat virtual`, `Jetty platform AOT`; the usual runtime goes without saying. */
export function variantName(measuredCase: Case): string {
  if (measuredCase.reported) return oneLine(reportedName(measuredCase.reported));
  const runtime =
    measuredCase.runtime === USUAL_RUNTIME ? "" : named(names.runtimes, measuredCase.runtime);
  return oneLine(
    [serverName(measuredCase.server), measuredCase.model, runtime].filter(Boolean).join(" "),
  );
}

/** Under which load a case was measured, after its name; of another harness, by whom and in which unit. */
export function loadName(measuredCase: Case): string {
  if (measuredCase.reported)
    return oneLine(`${measuredCase.reported.harness}, ${measuredCase.reported.unit}`);
  return oneLine(
    `${measuredCase.boot} ${measuredCase.workload}, ${quantity(measuredCase.connections, "count")}`,
  );
}

/** The name among others: with the line of Spring Boot where one of them has the same on another. */
export function nameAmong(measuredCase: Case, cases: readonly Case[]): string {
  const name = variantName(measuredCase);
  const alike = cases.some(
    (other) => variantName(other) === name && other.boot !== measuredCase.boot,
  );
  return alike ? oneLine(`${name} ${measuredCase.boot}`) : name;
}

/** `Tomcat`; a server that this page does not know keeps its own name. */
export function serverName(server: string): string {
  return oneLine(named(names.servers, server));
}

function named(known: Readonly<Record<string, string>>, id: string): string {
  return Object.hasOwn(known, id) ? (known[id] ?? id) : id;
}

/**
 * Names that tell these cases apart, and say no more: what all have in common goes without saying.
 */
export function namesApart(cases: readonly Case[]): readonly string[] {
  const differing = PARTS.filter((part) => new Set(cases.map(part)).size > 1);
  const named = differing.length > 0 ? differing : PARTS.slice(0, 1);
  return cases.map((measuredCase) =>
    oneLine(
      named
        .map((part) => part(measuredCase))
        .filter(Boolean)
        .join(" "),
    ),
  );
}

const PARTS: readonly ((measuredCase: Case) => string)[] = [
  variantName,
  ({ boot, reported }) => reported?.harness ?? boot,
  ({ workload, reported }) => (reported ? "" : workload),
  ({ connections }) => quantity(connections, "count"),
  ({ configuration }) => configurationWords(configuration),
];
