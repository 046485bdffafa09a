/** The views of the page. A new one is a folder and a line here. */

import type { ComponentType } from "preact";
import { isOverReleases, isStepBetweenReleases } from "../data/releases";
import type { IsWanted } from "../data/settle";
import type { WordKey } from "../words/en";

export interface View {
  readonly id: string;
  readonly name: WordKey;
  readonly load: () => Promise<ComponentType>;
  /** Of Spring Boot's servers: the history of somebody's own service has nothing for it. */
  readonly ofServers?: true;
  /** The view that leads to it, and whose place in the navigation stands for it. */
  readonly under?: string;
  /** Of anything that has series: also of the results of another harness. */
  readonly ofAny?: true;
  /** Of comparisons too: hosts that have measured no run have nothing for the others. */
  readonly ofCompared?: true;
  /** It begins with hosts that have what it shows, where not all do. */
  readonly isShownOf?: IsWanted;
}

export const ANSWERS = "answers";
export const RELEASES = "releases";

export const VIEWS: readonly View[] = [
  {
    id: ANSWERS,
    name: "view.answers",
    ofServers: true,
    isShownOf: (_, { answers }) => (answers ?? []).length > 0,
    load: async () => (await import("./answers/answers")).Answers,
  },
  {
    id: "overview",
    name: "view.overview",
    load: async () => (await import("./overview/overview")).Overview,
  },
  {
    id: "trends",
    name: "view.trends",
    ofAny: true,
    load: async () => (await import("./trends/trends")).Trends,
  },
  {
    id: "compare",
    name: "view.compare",
    ofAny: true,
    ofCompared: true,
    load: async () => (await import("./compare/compare")).Compare,
  },
  {
    id: "regressions",
    name: "view.regressions",
    ofAny: true,
    ofCompared: true,
    load: async () => (await import("./regressions/regressions")).Regressions,
  },
  {
    id: RELEASES,
    name: "view.releases",
    ofServers: true,
    ofCompared: true,
    isShownOf: (cases, { class: id }, { events = [] }) =>
      cases.some(isOverReleases) || events.some((event) => isStepBetweenReleases(event, id)),
    load: async () => (await import("./releases/releases")).Releases,
  },
  {
    id: "run",
    name: "view.run",
    ofAny: true,
    load: async () => (await import("./run/run")).RunView,
  },
  {
    id: "scaling",
    name: "view.scaling",
    under: ANSWERS,
    load: async () => (await import("./scaling/scaling")).Scaling,
  },
  {
    id: "footprint",
    name: "view.footprint",
    under: ANSWERS,
    load: async () => (await import("./footprint/footprint")).Footprint,
  },
  {
    id: "latency",
    name: "view.latency",
    under: ANSWERS,
    load: async () => (await import("./latency/latency")).Latency,
  },
  {
    id: "studies",
    name: "view.studies",
    under: ANSWERS,
    ofServers: true,
    load: async () => (await import("./studies/studies")).Studies,
  },
];

/** The views that stand in the navigation: all but those that another one of them leads to. */
export function topOf(offered: readonly View[]): readonly View[] {
  return offered.filter(({ under }) => !offered.some(({ id }) => id === under));
}

/** A view that leads to others with these, itself first; nothing where it leads to none. */
export function familyOf({ id, under }: View, offered: readonly View[]): readonly View[] {
  const head = offered.find((view) => view.id === (under ?? id));
  const members = head ? offered.filter((view) => view.under === head.id) : [];
  return head && members.length > 0 ? [head, ...members] : [];
}
