/** Names of what was measured, as people say them. */

import type { Case } from "../data/cases";
import { oneLine } from "../words/format";

const SERVERS: Readonly<Record<string, string>> = {
  tomcat: "Tomcat",
  jetty: "Jetty",
  undertow: "Undertow",
  netty: "Netty",
};
const RUNTIMES: Readonly<Record<string, string>> = { jvm: "", "jvm-aot": "AOT" };

/** `Tomcat virtual`, `Jetty platform AOT`; the usual runtime goes without saying. */
export function variantName(of: Case): string {
  const runtime = RUNTIMES[of.runtime] ?? of.runtime;
  return oneLine([serverName(of.server), of.model, runtime].filter(Boolean).join(" "));
}

/** `Tomcat`; a server that this page does not know keeps its own name. */
export function serverName(server: string): string {
  return oneLine(Object.hasOwn(SERVERS, server) ? (SERVERS[server] ?? server) : server);
}
