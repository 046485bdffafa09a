/** The newest run as tables: one for each workload, each row a link to its series. */

import { variantWords } from "./cases";
import { type Choice, choiceHash } from "./choice";
import { element } from "./dom";
import { ABSENT, quantity } from "./format";
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
  const body = element("tbody", {}, ...table.rows.map((row) => line(row, choice)));
  return element(
    "div",
    { class: "workload" },
    element("h3", { id }, table.workload),
    element(
      "div",
      { class: "scroll", tabindex: 0, role: "region", "aria-labelledby": id },
      element("table", { "aria-labelledby": id }, element("thead", {}, heads()), body),
    ),
  );
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

function line(row: LatestRow, choice: Choice): HTMLElement {
  const chosen = row.case.case === choice.case;
  const href = choiceHash({ ...choice, case: row.case.case });
  const link = element(
    "a",
    { href, "aria-current": chosen && "true", title: "Show over commits" },
    variantWords(row.case),
  );
  return element(
    "tr",
    { class: chosen && "chosen", "data-case": row.case.case },
    element("th", { scope: "row" }, link),
    element("td", {}, quantity(row.case.connections, "count")),
    ...values(row),
    boundCell(row),
  );
}

function values(row: LatestRow): readonly HTMLElement[] {
  const [throughput, ...others] = COLUMNS.map(({ metric, unit }) =>
    element("td", {}, quantity(row.median[metric], unit)),
  );
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
