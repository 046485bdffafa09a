/** Which case of one side belongs to which of the other, and what has no partner. Pure. */

import { distinct } from "../../data/cases";
import type { Side } from "./rows";

export interface Pairing {
  readonly pairs: readonly (readonly [base: Side, head: Side])[];
  /** Cases that one side alone has. */
  readonly onlyBase: number;
  readonly onlyHead: number;
  /** Ways in which one side alone was measured, where the other had the same cases. */
  readonly unlike: readonly string[];
  /** Cases that both have, on hosts that may not be compared. */
  readonly otherHosts: number;
}

/** Pairs of one name; `nameOf` says what two sides must share, beside how they were measured. */
export function paired(
  base: readonly Side[],
  head: readonly Side[],
  nameOf: (side: Side) => string,
): Pairing {
  const key = (side: Side) => `${nameOf(side)} ${side.case.configuration}`;
  const baseSides = new Map(base.map((side) => [key(side), side]));
  const names = new Set(base.map(nameOf));
  const pairs: (readonly [Side, Side])[] = [];
  const unlike: string[] = [];
  let otherHosts = 0;
  let onlyHead = 0;
  for (const side of head) {
    const other = baseSides.get(key(side));
    if (other === undefined && names.has(nameOf(side))) unlike.push(side.case.configuration);
    else if (other === undefined) onlyHead += 1;
    else if (other.hostClass !== side.hostClass) otherHosts += 1;
    else pairs.push([other, side]);
  }
  const headNames = new Set(head.map(nameOf));
  const onlyBase = base.filter((side) => !headNames.has(nameOf(side))).length;
  return { pairs, onlyBase, onlyHead, unlike: distinct(unlike), otherHosts };
}

/** Two runs that share no host class have nothing to compare: what differs is the hosts. */
export function sharesHost(base: readonly Side[], head: readonly Side[]): boolean {
  const classes = new Set(base.map(({ hostClass }) => hostClass));
  return head.some(({ hostClass }) => classes.has(hostClass));
}
