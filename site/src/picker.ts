/** The form that chooses a series. It offers only what the data hold. */

import { type Case, closest, conditionsWords, distinct, variantOf, variantWords } from "./cases";
import type { Choice } from "./choice";
import { element } from "./dom";
import { metricName, quantity } from "./format";

/** What there is to choose from. */
export interface Offer {
  readonly cases: readonly Case[];
  readonly metrics: readonly string[];
  readonly hosts: readonly { readonly id: string; readonly words: string }[];
}

type Option = readonly [value: string, words: string];

function select(
  name: string,
  label: string,
  options: readonly Option[],
  chosen: string,
): HTMLLabelElement {
  const made = element("select", { name });
  for (const [value, words] of options) {
    made.append(element("option", { value, selected: value === chosen }, words));
  }
  return element("label", {}, label, made);
}

function selects(offer: Offer, current: Case, choice: Choice): readonly HTMLLabelElement[] {
  const { cases } = offer;
  const same = cases.filter((each) => each.workload === current.workload);
  const variants = new Map(same.map((each) => [variantOf(each), variantWords(each)]));
  const connections = same
    .filter((each) => variantOf(each) === variantOf(current))
    .map((each) => each.connections)
    .sort((a, b) => a - b);
  const ways = cases.filter((each) => each.case === current.case).map((each) => each.conditions);
  const plain = (values: readonly (string | number)[]): Option[] =>
    distinct(values.map(String)).map((value) => [value, value]);
  return [
    select("workload", "Workload", plain(cases.map((each) => each.workload)), current.workload),
    select(
      "connections",
      "Connections",
      distinct(connections).map((each) => [String(each), quantity(each, "count")]),
      String(current.connections),
    ),
    select("variant", "Variant", [...variants], variantOf(current)),
    select(
      "how",
      "Measured as",
      ways.map((each) => [each, conditionsWords(each)]),
      current.conditions,
    ),
    select(
      "metric",
      "Metric",
      offer.metrics.map((metric) => [metric, metricName(metric)]),
      choice.metric,
    ),
    select(
      "host",
      "Host class",
      offer.hosts.map(({ id, words }) => [id, words]),
      choice.host,
    ),
  ];
}

function readForm(form: HTMLFormElement, offer: Offer): Choice | null {
  const asked = new FormData(form);
  const text = (key: string): string => String(asked.get(key) ?? "");
  const found = closest(offer.cases, {
    workload: text("workload"),
    variant: text("variant"),
    connections: Number(text("connections")),
    conditions: text("how"),
  });
  if (found === null) return null;
  return {
    case: found.case,
    how: found.conditions,
    metric: text("metric"),
    host: text("host"),
  };
}

/** Fill the form for a choice, keeping the focus where it was, and tell `changed` of a new one. */
export function drawPicker(
  form: HTMLFormElement,
  offer: Offer,
  choice: Choice,
  changed: (choice: Choice) => void,
): void {
  const current = offer.cases.find(
    (each) => each.case === choice.case && each.conditions === choice.how,
  );
  if (current === undefined) return;
  const focused = form.contains(document.activeElement)
    ? document.activeElement?.getAttribute("name")
    : null;
  form.replaceChildren(...selects(offer, current, choice));
  if (focused) form.querySelector<HTMLElement>(`[name="${focused}"]`)?.focus();
  form.onchange = () => {
    const next = readForm(form, offer);
    if (next !== null) changed(next);
  };
  form.onsubmit = (event) => event.preventDefault();
}
