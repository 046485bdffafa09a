/** Which events an address asks for. Pure. */

import { AXES, fits, hasWords } from "../../data/case_filter";
import { type Case, caseNamed } from "../../data/cases";
import type { Event, Index } from "../../data/contract";

export const OPEN: ReadonlySet<string> = new Set(["suspected", "confirmed"]);

/** The events that fit each choice and each typed word; the newest stay first. */
export function shownEvents(index: Index, query: URLSearchParams, words: string): readonly Event[] {
  const [state, direction] = [query.get("state"), query.get("direction")];
  const axes = AXES.some((axis) => query.get(axis));
  return (index.events ?? []).filter(
    (event) =>
      (!state || fitsState(event, state)) &&
      (!direction || event.direction === direction) &&
      // on an axis that was never asked for, an event without affected series fits as well
      (!axes || casesOf(index, event).some((affectedCase) => fits(affectedCase, query, ""))) &&
      hasWords(textOf(event), words),
  );
}

function fitsState({ state }: Event, choice: string): boolean {
  return choice === "open" ? OPEN.has(state) : state === choice;
}

/** The cases that the affected series of an event are of. */
export function casesOf(index: Index, { affected_series }: Event): readonly Case[] {
  return [...new Set(affected_series.map((series) => series.case))].map((id) =>
    caseNamed(index, id),
  );
}

function textOf({
  id,
  shared,
  culprit,
  also = [],
  affected_series,
  acknowledgement,
}: Event): string {
  const commits = [culprit.before, culprit.after].flatMap(({ sha, author }) => [sha, author]);
  const series = affected_series.flatMap((affected) => [
    affected.case,
    affected.metric,
    affected.host_class,
  ]);
  const reason = acknowledgement?.reason ?? "";
  return [id, shared, culprit.after.message, reason, ...commits, ...also, ...series].join(" ");
}

/** The event that an address names; null for one that the history does not have. */
export function eventNamed({ events = [] }: Index, id: string): Event | null {
  return events.find((event) => event.id === id) ?? null;
}
