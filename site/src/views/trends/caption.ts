/** What a chart shows, and what that means: its title and subtitle. Pure. */

import { MOST_INTERVALS, type Range } from "../../charts/lines";
import type { CaseRow } from "../../data/contract";
import { harnessesOf } from "../../data/reported";
import { known } from "../../parts/marks";
import { variantName } from "../../parts/names";
import { date, metricName, oneLine, quantity } from "../../words/format";
import type { Say, Values } from "../../words/words";
import type { DrawnSeries, Scene } from "./scene";
import { nameOf, type Wish } from "./wish";
import type { TrendsWord } from "./words";

export type Own = (key: TrendsWord, values?: Values) => string;

/** More names than these stand at the ends of their lines alone. */
const MOST_NAMES = 2;

/** `Throughput: Tomcat virtual, hello (a short text), 100 connections`; of many, how many they are. */
export function titleOf(
  cases: readonly CaseRow[],
  names: readonly string[],
  metric: string,
  say: Say,
  own: Own,
): string {
  const words = metricName(metric, say).replace(/ \*$/, "");
  const [first] = cases;
  if (first === undefined) return words;
  const shared = sharedWords(cases, say, own);
  const titled = (what: string) => (shared ? own("all", { what, shared }) : what);
  if (cases.length === 1) return titled(own("of-one", { metric: words, name: variantName(first) }));
  const few = names.length <= MOST_NAMES;
  const key = few ? "of-one" : "of-many";
  return titled(own(key, { metric: words, name: names.join(", "), count: names.length }));
}

/** The load, as far as all have the same. */
function sharedWords(cases: readonly CaseRow[], say: Say, own: Own): string {
  const one = <T>(of: (each: CaseRow) => T): T | null => {
    const values = new Set(cases.map(of));
    const [value] = values;
    return values.size === 1 && value !== undefined ? value : null;
  };
  const workload = one((each) => each.workload);
  const connections = one((each) => each.connections);
  const boot = one((each) => each.boot);
  const [first] = cases;
  if (first?.reported)
    return oneLine(own("measured-by", { harness: harnessesOf(cases).join(", ") }));
  return oneLine(
    [
      boot,
      workload === null ? null : known("workload", workload, say),
      connections === null
        ? null
        : `${quantity(connections, "count")} ${say("axis.connections").toLowerCase()}`,
    ]
      .filter((part) => part !== null)
      .join(", "),
  );
}

export interface Telling {
  readonly scene: Scene;
  readonly range: Range;
  readonly wish: Wish;
  readonly better: "higher" | "lower";
}

/** How many runs, of when, and what lines and bands are. */
export function subtitleOf({ scene, range, wish, better }: Telling, own: Own): string {
  const { runs } = scene.slots;
  const [from, to] = [date(runs[range.from]?.time ?? ""), date(runs[range.to]?.time ?? "")];
  const count = Math.max(0, range.to - range.from + 1);
  const span =
    count === 1
      ? own("sub.one", { from })
      : own("sub.runs", { runs: quantity(count, "count"), from, to });
  const many = scene.series.length > MOST_INTERVALS;
  const intervals = many ? own("sub.no-intervals", { most: MOST_INTERVALS }) : own("sub.intervals");
  return own("sub", { span, values: valuesWords(scene.series, wish, own(better), own), intervals });
}

function valuesWords(
  series: readonly DrawnSeries[],
  { relative }: Wish,
  better: string,
  own: Own,
): string {
  const base = series.find(({ of }) => nameOf(of) === relative);
  if (base !== undefined) return own("sub.relative-series", { name: base.name, better });
  const harness = harnessesOf(series.map(({ of }) => of)).join(", ");
  if (harness && relative !== "first") return own("sub.reported", { harness, better });
  return own(relative === "first" ? "sub.relative-first" : "sub.median", { better });
}
