/** The cases as a reader chooses among them: a workload, its connections, a variant. */

export interface Case {
  readonly case: string;
  readonly boot: string;
  readonly server: string;
  readonly model: string;
  readonly runtime: string;
  readonly workload: string;
  readonly connections: number;
  /** How it was measured: `nightly-3x10s`. Points of unlike conditions are of unlike series. */
  readonly conditions: string;
}

/** Conditions in words: `nightly, 3 × 10 s`. */
export function conditionsWords(conditions: string): string {
  const [, profile, forks, window] = /^(.+)-(\d+)x([\d.]+)s$/.exec(conditions) ?? [];
  return profile === undefined ? conditions : `${profile}, ${forks} × ${window} s`;
}

/** What is built and started, by its id: `boot4-tomcat-virtual-jvm`. */
export function variantOf(of: Case): string {
  return `${of.boot}-${of.server}-${of.model}-${of.runtime}`;
}

/** The same in words, for people: `tomcat virtual jvm, boot4`. */
export function variantWords(of: Case): string {
  return `${of.server} ${of.model} ${of.runtime}, ${of.boot}`;
}

/** Values in the order of their first appearance, each once. */
export function distinct<T>(values: readonly T[]): readonly T[] {
  return [...new Set(values)];
}

export interface Wanted {
  readonly workload: string;
  readonly connections: number;
  readonly variant: string;
  readonly conditions?: string;
}

/**
 * The case that comes closest to what is wanted, workload first, then the variant, then the
 * connections, then how it was measured: not every variant has every workload. Null without cases.
 */
export function closest<C extends Case>(cases: readonly C[], wanted: Wanted): C | null {
  const distance = (of: C): number =>
    (of.workload === wanted.workload ? 0 : 1e9) +
    (variantOf(of) === wanted.variant ? 0 : 1e8) +
    Math.min(Math.abs(of.connections - wanted.connections), 1e7) +
    (wanted.conditions === undefined || of.conditions === wanted.conditions ? 0 : 0.5);
  return cases.reduce<C | null>(
    (best, next) => (best === null || distance(next) < distance(best) ? next : best),
    null,
  );
}
