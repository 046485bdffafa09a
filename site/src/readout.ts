/** One point in words, beside the chart. */

import { element } from "./dom";
import { interval, moment, quantity, subject } from "./format";
import { commitLink, runLink } from "./links";
import { LOST, type Point } from "./points";

const MARKS: Readonly<Record<string, string>> = {
  drifted: "the host had drifted",
  unfinished: "the plan was not finished",
  dirty: "the sources had uncommitted changes",
  "shared-host": "measured on a shared host",
};

/** Why a point is to be read with care, in words; empty where nothing is known against it. */
export function markWords(marks: readonly string[]): string {
  return marks.map((mark) => (Object.hasOwn(MARKS, mark) ? MARKS[mark] : mark)).join(", ");
}

/** The value with how far it holds: `199.5/s (95 %: 198 to 201/s, 5 forks)`. */
export function valueWords(point: Point, unit: string): string {
  if (point.status === LOST) return "not known: these runs could not be loaded";
  if (point.median === null) {
    return point.status === "ok" ? "not taken" : `no value: the case ${statusWords(point.status)}`;
  }
  return quantity(point.median, unit);
}

function statusWords(status: string): string {
  return status === "skipped" ? "was skipped" : status;
}

/** The interval and the forks behind a value, or nothing. */
export function spreadWords(point: Point, unit: string): string {
  if (point.median === null) return "";
  const forks = point.n === 1 ? "one fork, no interval" : `${point.n} forks`;
  if (point.n <= 1 || point.low === null || point.high === null) return forks;
  return `95 % interval ${interval(point.low, point.high, unit)}, ${forks}`;
}

/** The paragraphs that say what a point is. */
export function readout(point: Point, unit: string, repository: string | null): DocumentFragment {
  const made = document.createDocumentFragment();
  const spread = spreadWords(point, unit);
  made.append(
    element(
      "p",
      {},
      element("span", { class: "value" }, valueWords(point, unit)),
      ...(spread ? [" ", element("span", { class: "quiet" }, spread)] : []),
    ),
    commitWords(point, repository),
  );
  const versions = Object.entries(point.boots).map(([line, version]) => `${line} ${version}`);
  const notes = [
    `Measured ${moment(point.startedAt)}`,
    ...(point.bound ? [`bound by ${point.bound.replaceAll("-", " ")}`] : []),
    ...(versions.length > 0 ? [versions.join(" and ")] : []),
    ...(point.branch ? [`branch ${point.branch}`] : []),
  ].join(", ");
  const links = runLink(repository, point.url).flatMap((link) => [", ", link]);
  made.append(element("p", { class: "quiet" }, notes, ...links));
  if (point.marks.length > 0) {
    made.append(element("p", { class: "mark" }, `Read with care: ${markWords(point.marks)}.`));
  }
  return made;
}

function commitWords(point: Point, repository: string | null): HTMLElement {
  if (point.status === LOST) return element("p", {}, "Between the runs before and after it");
  if (point.sha === null) return element("p", {}, "Measured outside a git repository");
  return element(
    "p",
    {},
    commitLink(repository, point.sha),
    ` ${subject(point.message)} `,
    element("span", { class: "quiet" }, point.author),
  );
}
