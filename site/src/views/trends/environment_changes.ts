/** Where the hosts or Spring Boot changed: a level may shift by that alone. Pure. */

import type { EnvironmentChange } from "../../charts/lines";
import type { Point } from "../../data/points";
import { oneLine } from "../../words/format";

/** The environment changes of runs in order; versions of those lines of Spring Boot that are drawn. */
export function environmentChangesOf(
  runs: readonly Point[],
  lines: readonly string[],
): readonly EnvironmentChange[] {
  const hosts = turns(runs.map(({ environment }) => environment)).map(({ at, before, after }) => ({
    at,
    words: changed(before, after),
  }));
  const releases = lines.flatMap((line) =>
    turns(runs.map(({ boots }) => boots[line] ?? "")).map(({ at, after }) => ({
      at,
      words: oneLine(`Spring Boot ${after}`),
    })),
  );
  return [...hosts, ...releases].sort((a, b) => a.at - b.at);
}

interface Turn {
  readonly at: number;
  readonly before: string;
  readonly after: string;
}

/**
 * Where a value gave way to another and did not come back. Hosts that take turns make no environment change, as
 * the finder of steps has it; what is not known is no change.
 */
export function turns(values: readonly string[]): readonly Turn[] {
  const last = new Map(values.map((value, at) => [value, at]));
  const found: Turn[] = [];
  let before = "";
  let reach = -1;
  for (const [at, value] of values.entries()) {
    if (value === "") continue;
    if (before !== "" && value !== before && reach < at) found.push({ at, before, after: value });
    before = value;
    reach = Math.max(reach, last.get(value) ?? at);
  }
  return found;
}

/** What of a host is new: `kernel 6.8.0, JDK 25.0.1`. */
export function changed(before: string, after: string): string {
  const old = new Set(partsOf(before));
  const parts = partsOf(after).filter((part) => !old.has(part));
  return oneLine(parts.join(", ") || after);
}

function partsOf(environment: string): readonly string[] {
  return environment.split(/; | \| /).filter(Boolean);
}
