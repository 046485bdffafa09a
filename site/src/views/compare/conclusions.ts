/**
 * What was concluded of two sides, looked up and not evaluated anew: by the change points that the
 * history has found between two runs, or by the ranking of the run that measured two variants. Pure.
 */

import { PAIRS } from "../../data/changes";
import type { Event } from "../../data/contract";
import { isBefore, type RankOf } from "../../data/rankings";
import type { Evaluated } from "./ratio";
import type { Metric, Side } from "./rows";

export type Concluded = Pick<Evaluated, "verdict" | "why">;
export type Conclude = (base: Side, head: Side, metric: Metric) => Concluded;

/** Rejected ones never were. */
const COUNTED: ReadonlySet<string> = new Set(["suspected", "confirmed", "acknowledged", "fixed"]);

/** By the change points between the commits of two runs, by the times of these. */
export function byChangePoints(
  events: readonly Event[],
  base: string | null,
  head: string | null,
): Conclude {
  const [from, to] = [base, head].map((time) => Date.parse(time ?? "")) as [number, number];
  const [first, last] = [Math.min(from, to), Math.max(from, to)];
  const between = events.filter(({ state, culprit }) => {
    const at = Date.parse(culprit.after.time);
    return COUNTED.has(state) && at > first && at <= last;
  });
  return (_, { case: caseRow, hostClass }, { name, better }) => {
    const steps = between.flatMap(({ state, affected_series }) => {
      const caseSeries = affected_series.filter(
        (series) =>
          series.case === caseRow.case &&
          series.metric === name &&
          series.host_class === hostClass &&
          series.ratio > 0,
      );
      const [seen] = [
        ...caseSeries.filter(({ configuration }) => configuration === PAIRS),
        ...caseSeries.filter(({ configuration }) => configuration === caseRow.configuration),
      ];
      return seen === undefined ? [] : [{ ratio: seen.ratio, sure: state !== "suspected" }];
    });
    if (steps.length === 0) return { verdict: "unknown", why: "no-step" };
    if (!steps.every(({ sure }) => sure)) return { verdict: "suspected", why: null };
    const ratio = steps.reduce((product, step) => product * step.ratio, 1);
    const grew = from <= to ? ratio > 1 : ratio < 1;
    return { verdict: grew === (better === "higher") ? "better" : "worse", why: null };
  };
}

/** By the rank ranges of the run that measured both. */
export function byRanking(rankOf: RankOf): Conclude {
  return (base, head, { name }) => {
    const [one, other] = [base, head].map(({ case: caseRow, run }) =>
      rankOf({ case: caseRow, run }, name),
    );
    if (!one || !other || one.ranking !== other.ranking) {
      return { verdict: "unknown", why: "not-ranked" };
    }
    if (isBefore(one, other)) return { verdict: "worse", why: null };
    return { verdict: isBefore(other, one) ? "better" : "same", why: null };
  };
}
