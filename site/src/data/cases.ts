/** The cases as a reader chooses among them: a workload, its connections, a variant. */

import type { CaseRow, Index } from "./contract";

export interface Case {
  readonly case: string;
  readonly boot: string;
  readonly server: string;
  readonly model: string;
  readonly runtime: string;
  readonly workload: string;
  readonly connections: number;
  /** How it was measured: `nightly-3x10s`. Points of different measurement configurations are of unlike series. */
  readonly configuration: string;
  /** What another harness calls it; left out of what springbench itself has measured. */
  readonly reported?: NonNullable<CaseRow["reported"]> | null;
}

/** Measurement configuration in words: `nightly, 3 × 10 s`. The connections of a load may have begun apart, and
 * variables been passed to the server, whose values a digest distinguishes; another one does requests that are more
 * than plain GETs. */
export function configurationWords(configuration: string): string {
  const [, profile, forks, window, apart, variables, requests] =
    /^(.+)-(\d+)x([\d.]+)s(-apart)?(?:-env-([0-9a-f]+))?(?:-ask-([0-9a-f]+))?$/.exec(
      configuration,
    ) ?? [];
  if (profile === undefined) return configuration;
  const more = [
    apart && "apart",
    variables && `variables ${variables}`,
    requests && `requests ${requests}`,
  ].filter(Boolean);
  return [`${profile}, ${forks} × ${window} s`, ...more].join(", ");
}

/** What is built and started, by its id: `boot4-tomcat-virtual-jvm`. */
export function variantOf(measuredCase: Case): string {
  return `${measuredCase.boot}-${measuredCase.server}-${measuredCase.model}-${measuredCase.runtime}`;
}

/** The same in words, for people: `tomcat virtual jvm, boot4`. */
export function variantWords(measuredCase: Case): string {
  return `${measuredCase.server} ${measuredCase.model} ${measuredCase.runtime}, ${measuredCase.boot}`;
}

/** Values in the order of their first appearance, each once. */
export function distinct<T>(values: readonly T[]): readonly T[] {
  return [...new Set(values)];
}

/** The axes of a case by its name; of one that the index does not know no more than the name says. */
export function caseNamed(index: Index, caseId: string): Case {
  return index.cases.find((row) => row.case === caseId) ?? caseOf(caseId);
}

/** The axes that the name of a case says; of what is no server of Spring Boot the variant as a whole. */
export function caseOf(caseId: string): Case {
  const [variant = "", workload = "", connections = ""] = caseId.split("/");
  const [, boot = "", server = variant, model = "", runtime = ""] =
    /^(boot\d+)-([^-]+)-(.+)-((?:jvm|native)(?:-.+)?)$/.exec(variant) ?? [];
  const axes = { boot, server, model, runtime, configuration: "" };
  return { case: caseId, ...axes, workload, connections: Number(connections) || 0 };
}
