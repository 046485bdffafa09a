/** The chains that are shown, each added up from the release it begins with. Pure. */

import {
  type Chain,
  type Change,
  cumulated,
  findingOf,
  missingLinks,
  settleBase,
} from "../../data/chain";
import { grouped } from "../../data/group";

/** A chain of one metric, added up. */
export interface ChainLine {
  readonly chain: Chain;
  readonly name: string;
  /** The release that all others are held against. */
  readonly base: string;
  /** Of each version of the chain; null beyond a missing link. */
  readonly changes: readonly (Change | null)[];
}

/** Of the chains that have the metric; `requestedBase` is the release that a reader wants to begin with. */
export function linesOf(
  named: readonly { readonly chain: Chain; readonly name: string }[],
  metric: string,
  requestedBase: string | null,
): readonly ChainLine[] {
  return named
    .filter(({ chain }) => hasMetric(chain, metric))
    .map(({ chain, name }) => {
      const base = settleBase(chain, metric, requestedBase);
      return { chain, name, base, changes: cumulated(chain, metric, base) };
    });
}

/** Two neighbours between which chains break off. */
export interface Break {
  readonly before: string;
  readonly after: string;
  readonly names: readonly string[];
  /** Whether they were compared at all, if not in this metric. */
  readonly compared: boolean;
}

/** Where these lines break off. */
export function breaksOf(lines: readonly ChainLine[], metric: string): readonly Break[] {
  const all = lines.flatMap(({ chain, name }) =>
    missingLinks(chain, metric).map((link) => ({ link, name })),
  );
  const byPair = grouped(all, ({ link }) => `${link.before} ${link.after}`);
  return [...byPair.values()].flatMap((same) => {
    const link = same[0]?.link;
    if (link === undefined) return [];
    const compared = same.some((entry) => entry.link.shas !== null);
    return {
      before: link.before,
      after: link.after,
      names: same.map(({ name }) => name),
      compared,
    };
  });
}

/** Whether some link of a chain has the metric. */
export function hasMetric({ links }: Chain, metric: string): boolean {
  return links.some((link) => findingOf(link, metric) !== null);
}
