/** The newest points as tables: one for each workload, each row a link to its series. */

import { conditionsWords, variantWords } from "./cases";
import { type Choice, choiceHash } from "./choice";
import { element } from "./dom";
import { ABSENT, date, quantity } from "./format";
import type { LatestRow, LatestTable } from "./latest";

interface Column {
  readonly words: string;
  readonly metric: string;
  readonly unit: string;
}

const COLUMNS: readonly Column[] = [
  { words: "Throughput", metric: "throughput_rps", unit: "rps" },
  { words: "p50 *", metric: "latency_p50_s", unit: "s" },
  { words: "p99 *", metric: "latency_p99_s", unit: "s" },
  { words: "CPU/request", metric: "cpu_per_request_s", unit: "s" },
  { words: "Peak memory", metric: "memory_peak_bytes", unit: "bytes" },
  { words: "Startup", metric: "startup_s", unit: "s" },
];

/** The tables as elements; the row of the chosen case is marked. */
export function drawLatest(tables: readonly LatestTable[], choice: Choice): HTMLElement {
  return element("div", {}, ...tables.map((table) => workload(table, choice)));
}

function workload(table: LatestTable, choice: Choice): HTMLElement {
  const id = `workload-${table.workload.replace(/[^\w-]/g, "-")}`;
  const common = mostOften(table.rows.map(measured));
  const body = element("tbody", {}, ...table.rows.map((row) => line(row, choice, common)));
  return element(
    "div",
    { class: "workload" },
    element("h3", { id }, table.workload),
    element("p", { class: "quiet" }, `Measured ${common}`),
    element(
      "div",
      { class: "scroll", tabindex: 0, role: "region", "aria-labelledby": id },
      element("table", { "aria-labelledby": id }, element("thead", {}, heads()), body),
    ),
    ...notes(table.rows),
  );
}

/** Each note once, with the variants that it holds for. */
function notes(rows: readonly LatestRow[]): readonly HTMLElement[] {
  const holders = new Map<string, Set<string>>();
  for (const row of rows) {
    for (const note of row.notes) {
      const names = holders.get(note) ?? new Set();
      holders.set(note, names.add(variantWords(row.case)));
    }
  }
  if (holders.size === 0) return [];
  const lines = [...holders].map(([note, names]) =>
    element("li", {}, element("strong", {}, [...names].join("; ")), `: ${note}`),
  );
  const title = lines.length === 1 ? "One note" : `${lines.length} notes`;
  return [
    element(
      "details",
      { class: "notes" },
      element("summary", {}, title),
      element("ul", {}, ...lines),
    ),
  ];
}

function heads(): HTMLElement {
  const head = (words: string, text = false): HTMLElement =>
    element("th", { scope: "col", class: text && "text" }, words);
  const [throughput, ...others] = COLUMNS.map(({ words }) => head(words));
  return element(
    "tr",
    {},
    head("Variant"),
    head("Conns"),
    throughput ?? "",
    head("Of ideal"),
    ...others,
    head("Bound by", true),
  );
}

function line(row: LatestRow, choice: Choice, common: string): HTMLElement {
  const chosen = row.case.case === choice.case;
  const href = choiceHash({ ...choice, case: row.case.case, how: row.case.conditions });
  const link = element(
    "a",
    { href, "aria-current": chosen && "true", title: "Show over commits" },
    variantWords(row.case),
  );
  return element(
    "tr",
    { class: chosen && "chosen", "data-case": row.case.case },
    element("th", { scope: "row" }, link, ...apart(measured(row), common)),
    element("td", {}, quantity(row.case.connections, "count")),
    ...values(row),
    boundCell(row),
  );
}

/** When and how a row was measured, where that is not as most of its table were. */
function apart(words: string, common: string): readonly HTMLElement[] {
  return words === common ? [] : [element("div", { class: "quiet" }, words)];
}

function mostOften(texts: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts].toSorted(([, a], [, b]) => b - a)[0]?.[0] ?? "";
}

/** When, and how: a table may hold rows of several runs. */
function measured(row: LatestRow): string {
  const care = row.marks.length > 0 ? ", read with care" : "";
  return `${date(row.startedAt)}, ${conditionsWords(row.case.conditions)}${care}`;
}

function values(row: LatestRow): readonly HTMLElement[] {
  const [throughput, ...others] = COLUMNS.map(({ metric, unit }) =>
    element("td", {}, quantity(row.median[metric], unit)),
  );
  if (row.n > 1 && row.spread !== null) {
    const within = ` ± ${quantity(row.spread, "ratio")}`;
    throughput?.append(element("span", { class: "quiet" }, within));
  }
  return [throughput ?? element("td"), element("td", {}, ofIdeal(row)), ...others];
}

function ofIdeal(row: LatestRow): string {
  const rate_rps = row.median["throughput_rps"] ?? null;
  if (rate_rps === null || !row.ideal_rps) return ABSENT;
  return quantity(rate_rps / row.ideal_rps, "ratio");
}

function boundCell(row: LatestRow): HTMLElement {
  if (row.status !== "ok") return element("td", { class: "text bad" }, row.status);
  return element("td", { class: "text" }, (row.bound ?? ABSENT).replaceAll("-", " "));
}
