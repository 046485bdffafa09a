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

export type ViewText = (key: TrendsWord, values?: Values) => string;

/** More names than these stand at the ends of their lines alone. */
const MOST_NAMES = 2;

/** `Throughput: Tomcat virtual, hello (a short text), 100 connections`; of many, how many they are. */
export function titleOf(
  cases: readonly CaseRow[],
  names: readonly string[],
  metric: string,
  say: Say,
  text: ViewText,
): string {
  const words = metricName(metric, say).replace(/ \*$/, "");
  const [first] = cases;
  if (first === undefined) return words;
  const shared = sharedWords(cases, say, text);
  const titled = (what: string) => (shared ? text("all", { what, shared }) : what);
  if (cases.length === 1)
    return titled(text("of-one", { metric: words, name: variantName(first) }));
  const few = names.length <= MOST_NAMES;
  const key = few ? "of-one" : "of-many";
  return titled(text(key, { metric: words, name: names.join(", "), count: names.length }));
}

/** The load, as far as all have the same. */
function sharedWords(cases: readonly CaseRow[], say: Say, text: ViewText): string {
  const one = <T>(read: (caseRow: CaseRow) => T): T | null => {
    const values = new Set(cases.map(read));
    const [value] = values;
    return values.size === 1 && value !== undefined ? value : null;
  };
  const workload = one((caseRow) => caseRow.workload);
  const connections = one((caseRow) => caseRow.connections);
  const boot = one((caseRow) => caseRow.boot);
  const [first] = cases;
  if (first?.reported)
    return oneLine(text("measured-by", { harness: harnessesOf(cases).join(", ") }));
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

export interface ChartState {
  readonly scene: Scene;
  readonly range: Range;
  readonly wish: Wish;
  readonly better: "higher" | "lower";
}

/** How many runs, of when, and what lines and bands are. */
export function subtitleOf({ scene, range, wish, better }: ChartState, text: ViewText): string {
  const { runs } = scene.slots;
  const [from, to] = [date(runs[range.from]?.time ?? ""), date(runs[range.to]?.time ?? "")];
  const count = Math.max(0, range.to - range.from + 1);
  const span =
    count === 1
      ? text("sub.one", { from })
      : text("sub.runs", { runs: quantity(count, "count"), from, to });
  const many = scene.series.length > MOST_INTERVALS;
  const intervals = many
    ? text("sub.no-intervals", { most: MOST_INTERVALS })
    : text("sub.intervals");
  return text("sub", {
    span,
    values: valuesWords(scene.series, wish, text(better), text),
    intervals,
  });
}

function valuesWords(
  series: readonly DrawnSeries[],
  { relative }: Wish,
  better: string,
  text: ViewText,
): string {
  const base = series.find(({ case: caseRow }) => nameOf(caseRow) === relative);
  if (base !== undefined) return text("sub.relative-series", { name: base.name, better });
  const harness = harnessesOf(series.map(({ case: caseRow }) => caseRow)).join(", ");
  if (harness && relative !== "first") return text("sub.reported", { harness, better });
  return text(relative === "first" ? "sub.relative-first" : "sub.median", { better });
}
