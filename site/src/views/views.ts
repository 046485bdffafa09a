/** The views of the page. A new one is a folder and a line here. */

import type { ComponentType } from "preact";
import type { WordKey } from "../words/en";

export interface View {
  readonly id: string;
  readonly name: WordKey;
  readonly load: () => Promise<ComponentType>;
  /** Of Spring Boot's servers: the history of somebody's own service has nothing for it. */
  readonly ofServers?: true;
  /** Of anything that has series: also of the results of another harness. */
  readonly ofAny?: true;
}

export const VIEWS: readonly View[] = [
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
    load: async () => (await import("./compare/compare")).Compare,
  },
  {
    id: "regressions",
    name: "view.regressions",
    ofAny: true,
    load: async () => (await import("./regressions/regressions")).Regressions,
  },
  {
    id: "footprint",
    name: "view.footprint",
    load: async () => (await import("./footprint/footprint")).Footprint,
  },
  {
    id: "scaling",
    name: "view.scaling",
    load: async () => (await import("./scaling/scaling")).Scaling,
  },
  {
    id: "latency",
    name: "view.latency",
    load: async () => (await import("./latency/latency")).Latency,
  },
  {
    id: "releases",
    name: "view.releases",
    ofServers: true,
    load: async () => (await import("./releases/releases")).Releases,
  },
  {
    id: "studies",
    name: "view.studies",
    ofServers: true,
    load: async () => (await import("./studies/studies")).Studies,
  },
  {
    id: "run",
    name: "view.run",
    ofAny: true,
    load: async () => (await import("./run/run")).RunView,
  },
];
