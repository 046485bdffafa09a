/** Base units inside, formatted at the edge: the only place that turns numbers and times into words. */

import { declared } from "../data/metrics";
import type { Say } from "./words";

export type Unit = "s" | "bytes" | "rps" | "ratio" | "count";

export const ABSENT = "–";

const grouped = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });

/** Three significant digits below 1,000, whole and grouped above: `0.0512`, `319`, `48,812`. */
function number(value: number): string {
  // no measurement is so large: what is broken must not fill the page
  if (Math.abs(value) >= 1e15) return value.toExponential(2);
  if (Math.abs(value) >= 100) return grouped.format(value);
  return value.toLocaleString("en", { maximumSignificantDigits: 3 });
}

/** As number, but a rate keeps a tenth up to 1,000: one request less is 0.5 % of 199.5. */
function rate(value_rps: number): string {
  const tenth = Math.round(value_rps * 10) / 10;
  if (Math.abs(value_rps) >= 1e15) return `${number(value_rps)}/s`;
  if (Math.abs(tenth) >= 1000 || tenth % 1 === 0) return `${grouped.format(value_rps)}/s`;
  return `${Math.abs(tenth) >= 10 ? tenth.toFixed(1) : number(value_rps)}/s`;
}

function time(value_s: number): string {
  const size_s = Math.abs(value_s);
  if (size_s >= 10) return `${number(value_s)} s`;
  if (size_s >= 1) return `${value_s.toFixed(2)} s`;
  if (size_s >= 1e-3) return `${number(value_s * 1e3)} ms`;
  if (size_s >= 1e-6) return `${number(value_s * 1e6)} µs`;
  return value_s === 0 ? "0 s" : `${number(value_s * 1e9)} ns`;
}

function memory(value_bytes: number): string {
  if (value_bytes < 1024) return `${number(value_bytes)} B`;
  if (value_bytes < 2 ** 20 / 10) return `${number(value_bytes / 1024)} KiB`;
  const mib = value_bytes / 2 ** 20;
  return mib >= 10_240 ? `${number(mib / 1024)} GiB` : `${number(mib)} MiB`;
}

function share(ratio: number): string {
  const percent = 100 * ratio;
  if (percent === 0) return "0 %";
  if (!Number.isFinite(percent)) return ABSENT;
  if (Math.abs(percent) >= 1e15) return `${number(percent)} %`;
  return `${percent.toFixed(Math.abs(percent) >= 1 ? 1 : 2)} %`;
}

/** A value with its unit: `48,812/s`, `1.24 ms`, `412 MiB`, `98.2 %`; a dash where there is none. */
export function quantity(value: number | null | undefined, unit: string): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return ABSENT;
  switch (unit) {
    case "rps":
      return rate(value);
    case "s":
      return time(value);
    case "bytes":
      return memory(value);
    case "ratio":
      return share(value);
    default:
      return number(value);
  }
}

/** An interval: `197/s to 203/s`; one value where both edges are the same. */
export function interval(low: number | null, high: number | null, unit: string, say: Say): string {
  if (low === null || high === null) return ABSENT;
  const [from, to] = [quantity(low, unit), quantity(high, unit)];
  return from === to ? from : say("interval.range", { low: from, high: to });
}

/** A metric in words; one that this page does not know yet keeps its own name. */
export function metricName(metric: string, say: Say): string {
  return declared(metric) ? say(`metric.${metric}`) : oneLine(metric);
}

/** A ratio as a change: `+8.2 %`, `−3.1 %`. */
export function change(ratio: number): string {
  const percent = 100 * (ratio - 1);
  const digits = Math.abs(percent) >= 100 ? 0 : 1;
  const sign = percent < 0 ? "−" : "+";
  return `${sign}${Math.abs(percent).toFixed(digits)} %`;
}

/** Words that stay on one line, as a number and its sign of per cent. */
export function unbroken(words: string): string {
  return words.replaceAll(" ", "\u00a0");
}

/** A day as `2026-11-21`, as all languages read it, always UTC; the text itself where it is no date. */
export function date(iso: string): string {
  return inUtc(iso)?.slice(0, 10) ?? iso;
}

/** A moment as `2026-11-21 03:45 UTC`. */
export function moment(iso: string): string {
  const at = inUtc(iso);
  return at === null ? iso : `${at.slice(0, 10)} ${at.slice(11, 16)} UTC`;
}

function inUtc(time: string): string | null {
  const at = new Date(time);
  return Number.isNaN(at.getTime()) ? null : at.toISOString();
}

/** The first line of a commit message, at most `length` characters. */
export function subject(message: string, length = 72): string {
  const line = message.split("\n", 1)[0]?.trim() ?? "";
  return line.length > length ? `${line.slice(0, length - 1)}…` : line;
}

/** The abbreviation by which people know a commit. */
export function shortSha(sha: string): string {
  return sha.slice(0, 8);
}

// what breaks a line or turns the direction of writing
const CONTROLS = /[\p{Cc}\u2028-\u202e\u2066-\u2069]+/gu;

/** Words of others on one line, without anything that changes how its neighbours read. */
export function oneLine(text: string): string {
  return text.replace(CONTROLS, " ");
}

/** Names as a sentence lists them: `a, b, or c`, or `a, b, and c`. */
export function listed(
  names: readonly string[],
  language: string,
  type: "conjunction" | "disjunction",
): string {
  return new Intl.ListFormat(language, { type }).format(names);
}
