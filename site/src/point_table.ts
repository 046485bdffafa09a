/** The points of a chart as a table, for those who would rather read them. */

import { element } from "./dom";
import { date, interval, shortSha, subject } from "./format";
import type { Point } from "./points";
import { markWords, valueWords } from "./readout";

interface Drawn {
  readonly title: string;
  readonly unit: string;
  readonly points: readonly Point[];
}

/** A table of all points, newest first, built when it is first opened. */
export function pointTable(of: Drawn): HTMLElement {
  const count = of.points.length;
  const title = count === 1 ? "The point as a table" : `All ${count} points as a table`;
  const made = element("details", {}, element("summary", {}, title));
  made.addEventListener("toggle", () => made.append(table(of)), { once: true });
  return made;
}

function table(of: Drawn): HTMLElement {
  const heads = ["Commit", "Value", "95 % interval", "Forks", "Notes", "Message"];
  const head = heads.map((text, index) =>
    element("th", { scope: "col", class: index > 3 && "text" }, text),
  );
  const body = element("tbody");
  for (const point of of.points.toReversed()) body.append(row(point, of.unit));
  return element(
    "div",
    { class: "scroll tall", tabindex: 0, role: "region", "aria-label": `${of.title}, all points` },
    element("table", {}, element("thead", {}, element("tr", {}, ...head)), body),
  );
}

function row(point: Point, unit: string): HTMLElement {
  const which = point.sha === null ? "" : `${shortSha(point.sha)} `;
  return element(
    "tr",
    {},
    element("th", { scope: "row" }, `${which}${date(point.time)}`),
    element("td", {}, valueWords(point, unit)),
    element("td", {}, point.n > 1 ? interval(point.low, point.high, unit) : "–"),
    element("td", {}, String(point.n)),
    element("td", { class: "text" }, markWords(point.marks)),
    element("td", { class: "text" }, subject(point.message)),
  );
}
