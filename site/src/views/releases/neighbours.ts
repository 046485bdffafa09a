/** What comparisons in pairs found between each release and the one before it. */

import type { ClassRow, Index } from "../../data/contract";
import { measuredBetween, type PublishedComparison } from "../../data/published";
import { type ReleaseSeries, versionsOf } from "../../data/releases";

export type Finding = PublishedComparison["findings"][number];

/** By the later release, the newest first; none where nobody has compared the two. */
export type Neighbours = ReadonlyMap<string, readonly PublishedComparison[]>;

/** Each pair by itself: a comparison that cannot be read costs its own cells. */
export async function loadNeighbours(
  index: Index,
  row: ClassRow,
  series: readonly ReleaseSeries[],
): Promise<Neighbours> {
  // whoever publishes a comparison of releases lists it
  if ((index.compared ?? []).length === 0) return new Map();
  const versions = versionsOf(series);
  const loaded = await Promise.all(
    versions.map(async (version, at) => {
      const [base, head] = [shaOf(series, versions[at - 1]), shaOf(series, version)];
      if (!base || !head) return [];
      const found = await measuredBetween(index, base, head).catch(() => []);
      return found.filter(({ host }) => host.class === row.class);
    }),
  );
  return new Map(versions.map((version, at) => [version, loaded[at] ?? []]));
}

/** The commit of a release; undefined for one that none of these has. */
export function shaOf(series: readonly ReleaseSeries[], version: string | undefined) {
  return series.flatMap(({ values }) => values).find((each) => each.version === version)?.sha;
}

/** What the newest comparison that evaluated this metric of this case says; null for none. */
export function findingOf(
  comparisons: readonly PublishedComparison[] = [],
  of: string,
  metric: string,
): Finding | null {
  const all = comparisons.flatMap(({ findings }) => findings);
  return all.find((each) => each.case === of && each.metric === metric) ?? null;
}

/** The options of both sides that these comparisons had, each list once; none where all had none. */
export function optionsOf(neighbours: Neighbours): readonly (readonly string[])[] {
  const all = [...neighbours.values()].flat().map(({ java_options = [] }) => java_options);
  const distinct = new Map(all.map((options) => [options.join(" "), options]));
  return [...distinct.values()].filter((options) => options.length > 0);
}
