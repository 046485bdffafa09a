/** Made-up events of every state, with what they rest on, the feed and the pictures. */

import { HOST } from "./synthetic_numbers.mjs";

/** @typedef {import("../src/data/contract").Event} Event */
/** @typedef {import("../src/data/contract").AffectedSeries} AffectedSeries */
/** @typedef {import("../src/data/contract").CaseRow} CaseRow */
/** @typedef {Event["culprit"]["before"]} Commit */
/** @typedef {NonNullable<Event["evidence"]>[number]} Evidence */

const METRICS = /** @type {const} */ ({
  throughput_rps: { unit: "rps", better: "higher", before: 399 },
  cpu_per_request_s: { unit: "s", better: "lower", before: 0.000_213 },
  memory_peak_bytes: { unit: "bytes", better: "lower", before: 4.1e8 },
  startup_s: { unit: "s", better: "lower", before: 2.31 },
});

/**
 * @param {CaseRow} of
 * @param {keyof typeof METRICS} metric
 * @param {number} ratio
 * @returns {AffectedSeries}
 */
function affected(of, metric, ratio) {
  const { unit, better, before } = METRICS[metric];
  const named = { case: of.case, configuration: of.configuration, host_class: HOST.class };
  const levels = { before, after: before * ratio };
  return { ...named, metric, unit, better, ...levels, ...around(ratio, 0.012) };
}

/**
 * @param {number} ratio
 * @param {number} spread
 */
function around(ratio, spread) {
  return { ratio, low_ratio: ratio * (1 - spread), high_ratio: ratio * (1 + spread) };
}

/**
 * What happened to each metric of made-up series, whose middle one is as good as any.
 * @param {readonly AffectedSeries[]} series
 * @returns {NonNullable<Event["changes"]>}
 */
function changes(series) {
  return [...new Set(series.map(({ metric }) => metric))].map((metric) => {
    const own = series.filter((each) => each.metric === metric);
    const ratios = own.map(({ ratio }) => ratio).toSorted((a, b) => a - b);
    const [first] = own;
    const alone = own.length === 1 && first !== undefined;
    return {
      metric,
      ratio: ratios[own.length >> 1] ?? 1,
      low_ratio: alone ? first.low_ratio : Math.min(...ratios),
      high_ratio: alone ? first.high_ratio : Math.max(...ratios),
      series: own.length,
    };
  });
}

/**
 * What comparisons said of an event's first affected series, one for each ratio.
 * @param {Pick<Event, "culprit" | "affected_series">} event
 * @param {readonly { readonly ratio: number, readonly agrees: boolean | null, readonly independent: boolean }[]} comparisons
 * @returns {Evidence[]}
 */
function evidence({ culprit, affected_series }, comparisons) {
  const [first] = affected_series;
  if (first === undefined) return [];
  return comparisons.map(({ ratio, agrees, independent }, at) => ({
    comparison: `20260106T1${at}0000Z-compare-${culprit.after.sha.slice(0, 8)}`,
    base: culprit.before.sha,
    head: culprit.after.sha,
    host_class: HOST.class,
    case: first.case,
    metric: first.metric,
    ...around(ratio, agrees === null ? 0.09 : 0.015),
    pairs: agrees === null ? 4 : 12,
    agrees,
    independent,
    url: `https://github.com/owner/name/actions/runs/${7000 + at}`,
  }));
}

const SURE = [
  { ratio: 0.935, agrees: true, independent: false },
  { ratio: 0.942, agrees: true, independent: true },
];
const DENIED = [
  { ratio: 0.97, agrees: null, independent: false },
  { ratio: 1.002, agrees: false, independent: true },
];

/**
 * Events, the newest first. That of the step at 60 % of the runs is confirmed.
 * @param {number} runs
 * @param {readonly CaseRow[]} cases
 * @param {(run: number) => Commit} commit
 * @param {(run: number) => string} runId
 * @returns {Event[]}
 */
export function syntheticEvents(runs, cases, commit, runId) {
  const step = Math.floor(runs * 0.6) + 1;
  const at = (/** @type {number} */ share) => Math.max(2, Math.floor(step * share));
  const [one, other] = /** @type {[CaseRow, CaseRow]} */ ([cases[0], cases[4]]);
  const virtual = cases.filter(({ model }) => model === "virtual").slice(0, 20);
  /**
   * @param {Event["direction"]} direction
   * @param {Event["state"]} state
   * @param {number} run
   * @param {string} shared
   * @param {AffectedSeries[]} affected_series
   * @param {number} [range]
   * @returns {Event}
   */
  const event = (direction, state, run, shared, affected_series, range = 1) => {
    const [before, after] = [commit(run - range), commit(run)];
    return {
      id: `${direction}-${after.sha}`,
      kind: "step",
      direction,
      state,
      culprit: { before, after, exact: range === 1 },
      also: Array.from({ length: range - 1 }, (_, place) => commit(run - 1 - place).sha),
      run: runId(run),
      shared,
      affected_series,
      affected_series_total: affected_series.length,
      changes: changes(affected_series),
    };
  };

  const suspected = {
    ...event(
      "regression",
      "suspected",
      runs - 2,
      `<i>${one.case}</i>`,
      [affected(one, "startup_s", 1.08)],
      3,
    ),
    environment_change: "kernel 6.1.0 → 6.1.1",
  };
  const confirmed = event("regression", "confirmed", step, "every virtual case on boot4", [
    ...virtual.map((of, place) => affected(of, "throughput_rps", 0.94 - (place % 4) / 200)),
    ...virtual.slice(0, 6).map((of) => affected(of, "cpu_per_request_s", 1.071)),
  ]);
  const moved = event("improvement", "confirmed", step, "every virtual case on boot4", [
    ...virtual.slice(0, 6).map((of) => affected(of, "memory_peak_bytes", 0.94)),
  ]);
  const back = event("improvement", "confirmed", at(0.8), other.case, [
    affected(other, "cpu_per_request_s", 0.9),
  ]);
  const fixed = event("regression", "fixed", at(0.7), other.case, [
    affected(other, "cpu_per_request_s", 1.11),
  ]);
  const acknowledged = event(
    "regression",
    "acknowledged",
    at(0.5),
    "every case on boot4",
    [affected(one, "memory_peak_bytes", 1.06), affected(other, "memory_peak_bytes", 1.055)],
    2,
  );
  const rejected = event("regression", "rejected", at(0.3), one.case, [
    affected(one, "throughput_rps", 0.968),
  ]);
  const slowly = event(
    "regression",
    "suspected",
    at(0.9),
    `every ${one.workload} case`,
    [affected(one, "memory_peak_bytes", 1.045)],
    Math.min(5, at(0.9) - 1),
  );

  return [
    suspected,
    {
      ...confirmed,
      moved: moved.id,
      affected_series_total: confirmed.affected_series.length + 30,
      evidence: evidence(confirmed, SURE),
    },
    { ...moved, moved: confirmed.id },
    { ...slowly, id: `${slowly.id}-drift`, kind: "drift", also: [] },
    back,
    { ...fixed, fixed_by: back.id, evidence: evidence(fixed, SURE) },
    {
      ...acknowledged,
      acknowledgement: { reason: "Buffers are larger <b>on purpose</b>: fewer calls", by: "A. M." },
    },
    { ...rejected, evidence: evidence(rejected, DENIED) },
  ];
}

/**
 * The feed, and a picture of each confirmed regression, as they lie below `data/`.
 * @param {readonly Event[]} events
 * @returns {Generator<[path: string, text: string]>}
 */
export function* toldFiles(events) {
  if (events.length === 0) return;
  yield [
    "events.atom",
    '<feed xmlns="http://www.w3.org/2005/Atom"><title>made up</title></feed>\n',
  ];
  for (const { id, state, direction } of events) {
    if (state === "confirmed" && direction === "regression") yield [`charts/${id}.svg`, PICTURE];
  }
}

const PICTURE = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 720 240" width="720" height="240">
<style>.line{stroke:#0969da;fill:none;stroke-width:2}.begin{stroke:#cf222e;stroke-dasharray:4 3}</style>
<path class="line" d="M16 70 120 74 220 66 320 72 400 70 420 150 520 148 610 154"/>
<path class="begin" d="M410 30V210"/></svg>
`;
