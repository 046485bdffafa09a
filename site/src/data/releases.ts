/** Series over the releases of Spring Boot: what `springbench releases` has measured. Pure. */

import { geometricMean } from "./averages";
import type { CaseRow, Event } from "./contract";
import type { Point } from "./points";

/** All runs of one release in one series. */
export interface ReleaseValue {
  readonly version: string;
  readonly sha: string | null;
  /** The geometric mean of the runs; the edges are the least and the greatest of them. */
  readonly value: number;
  readonly low: number;
  readonly high: number;
  readonly runs: number;
}

export interface ReleaseSeries {
  readonly case: CaseRow;
  /** Oldest release first. */
  readonly values: readonly ReleaseValue[];
}

// as springbench names the commit of a release; of one that was only compared there is no run
const RELEASE = /^Spring Boot ([0-9]{1,3}(?:\.[0-9]{1,3}){2})$/;

/** The version of Spring Boot that a commit is; null for any other commit. */
export function releaseOf({ message }: { readonly message: string }): string | null {
  return RELEASE.exec(message)?.[1] ?? null;
}

/** Whether a series is one over releases: the profile that measures them names it. */
export function isOverReleases({ configuration }: CaseRow): boolean {
  return configuration.startsWith("releases-");
}

/** Whether an event begins with a release, on hosts of a class: these have compared some. */
export function isStepBetweenReleases(event: Event, hostClass: string): boolean {
  const isHere = event.affected_series.some((series) => series.host_class === hostClass);
  return isHere && releaseOf(event.culprit.after) !== null;
}

/** The points of a series by the version of its Spring Boot line; of others nobody knows one. */
export function byRelease(caseRow: CaseRow, points: readonly Point[]): ReleaseSeries {
  const runs = new Map<string, { readonly sha: string | null; readonly medians: number[] }>();
  for (const { boots, sha, median } of points) {
    const version = Object.hasOwn(boots, caseRow.boot) ? boots[caseRow.boot] : undefined;
    if (version === undefined || median === null || median <= 0) continue;
    const known = runs.get(version) ?? { sha, medians: [] };
    known.medians.push(median);
    runs.set(version, known);
  }
  const values = [...runs].map(([version, { sha, medians }]) => ({
    version,
    sha,
    value: geometricMean(medians),
    low: Math.min(...medians),
    high: Math.max(...medians),
    runs: medians.length,
  }));
  return { case: caseRow, values: values.toSorted((a, b) => inOrder(a.version, b.version)) };
}

/** Every release of these series, the oldest first. */
export function versionsOf(series: readonly ReleaseSeries[]): readonly string[] {
  const all = series.flatMap(({ values }) => values.map(({ version }) => version));
  return [...new Set(all)].toSorted(inOrder);
}

/** As numbers: 4.0.10 comes after 4.0.9. */
export function inOrder(a: string, b: string): number {
  return a.localeCompare(b, "en", { numeric: true });
}
