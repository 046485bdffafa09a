/** Made-up published runs and a measured comparison, beside the history of `synthetic.mjs`. */

import {
  distributionsOf,
  HOST,
  METRICS,
  measured,
  theoreticalMaxOf,
} from "./synthetic_numbers.mjs";

/** So many of the newest runs have a file: the rest of a long history is not looked at. */
const PUBLISHED = 20;
const TOOLS = {
  jdk: "25.0.1",
  wrk: "4.2.0",
  springbench: "0.9.0",
  boots: { boot4: "4.0.7", boot3: "3.5.16" },
};

/** @typedef {import("../src/data/contract").Index} Index */

/**
 * What a case has beside its numbers: some failed, some have one fork, some are warned of.
 * @param {number} which
 */
function stateOf(which) {
  if (which % 13 === 6) {
    const reason = "the server did not answer /hello with 200 in 60 s: <b>exit code 137</b>";
    return { status: "failed", reason, n: 0, warnings: [] };
  }
  const bottleneck = which % 8 === 5 ? "thread-cap" : which % 5 === 0 ? "server-cpu" : "latency";
  const notes =
    which % 8 === 5
      ? ["Its pool has 200 threads. To lift it, set server.example.threads.max."]
      : [];
  const warnings = which % 7 === 3 ? ["not-steady"] : [];
  return { status: "ok", n: which % 11 === 4 ? 1 : 5, bottleneck, notes, warnings };
}

/**
 * The run at one place of the index, as it is published.
 * @param {Index} index
 * @param {number} at
 * @param {string} [id]
 */
export function syntheticRun(index, at, id = index.runs.id[at] ?? "") {
  const { runs, commits } = index;
  const number = index.runs_total - runs.id.length + at;
  const commit = commits[runs.commit[at] ?? -1];
  const startedAt = runs.started_at[at] ?? "";
  const cases = index.cases.map((of, which) => ({
    ...of,
    shard: 0,
    ...(theoreticalMaxOf(of) === null ? {} : { theoretical_max_rps: theoreticalMaxOf(of) }),
    ...stateOf(which),
    distributions: distributionsOf(which),
  }));
  const metrics = Object.fromEntries(
    METRICS.map((metric) => {
      const rows = cases.map((of, which) =>
        of.status === "ok"
          ? measured(metric, of, which, number, index.runs_total)
          : [null, null, null],
      );
      const column = (/** @type {number} */ place) => rows.map((row) => row[place] ?? null);
      return [metric.name, { median: column(0), low: column(1), high: column(2) }];
    }),
  );
  const shard = {
    run: id,
    started_at: startedAt,
    finished_at: startedAt,
    measured_s: 1834.2,
    host: HOST,
    tools: TOOLS,
    canary_cpu_probe_s: 0.412,
    canary_error_ratio: 0.002,
    marks: runs.marks[at] ?? [],
    warnings: [
      "warning: up to 3.4 % of the host's CPU time went to its neighbours meanwhile (limit: 2.0 %) (2 of 16 rows); measure again, on a host of its own if it stays so.",
    ],
  };
  return {
    schema: 2,
    id,
    started_at: startedAt,
    finished_at: startedAt,
    profile: runs.profile[at] ?? "",
    trigger: runs.trigger[at] ?? "",
    url: runs.url[at] ?? null,
    ...(commit ? { commit: { ...commit, branch: "main", dirty: false } } : {}),
    marks: runs.marks[at] ?? [],
    shards: [shard],
    cases,
    metrics,
    rankings: METRICS.filter(({ name }) => RANKED.includes(name)).flatMap((metric) =>
      rankingsOf(cases, metrics[metric.name], metric),
    ),
  };
}

const RANKED = [
  ...["throughput_rps", "cpu_per_request_s", "memory_peak_bytes", "memory_idle_bytes"],
  ...["threads_max", "startup_s", "open_loop_50_latency_p99_s", "open_loop_80_latency_p99_s"],
];

/**
 * A ranking of each load, as a run concludes it: whose interval reaches another's is tied with it.
 * @param {readonly { workload: string, connections: number, n: number }[]} cases
 * @param {{ median: (number | null)[], low: (number | null)[], high: (number | null)[] } | undefined} columns
 * @param {{ name: string, better: string }} metric
 */
function rankingsOf(cases, columns, { name, better }) {
  const number = (/** @type {"median" | "low" | "high"} */ which, /** @type {number} */ at) =>
    columns?.[which][at] ?? 0;
  const loads = new Set(cases.map((of) => `${of.workload} ${of.connections}`));
  return [...loads].flatMap((load) => {
    const members = cases.flatMap((of, at) =>
      `${of.workload} ${of.connections}` === load && number("median", at) > 0 && of.n > 1
        ? [at]
        : [],
    );
    if (members.length < 2) return [];
    const sign = better === "higher" ? -1 : 1;
    const order = members.toSorted((a, b) => sign * (number("median", a) - number("median", b)));
    const best = order[0] ?? 0;
    const isBefore = (/** @type {number} */ a, /** @type {number} */ b) =>
      better === "higher"
        ? number("low", a) > number("high", b)
        : number("high", a) < number("low", b);
    const count = (/** @type {(other: number) => boolean} */ fits) => members.filter(fits).length;
    const ratio = (/** @type {"median" | "low" | "high"} */ which, /** @type {number} */ at) =>
      at === best ? 1 : number(which, at) / number("median", best);
    return [
      {
        metric: name,
        rounds: 5,
        interleaved: true,
        spread_ratio: 0.018,
        case: order,
        first: order.map((at) => 1 + count((other) => isBefore(other, at))),
        last: order.map((at) => members.length - count((other) => isBefore(at, other))),
        ratio: order.map((at) => ratio("median", at)),
        ...(name === "throughput_rps" && {
          low: order.map((at) => ratio("low", at)),
          high: order.map((at) => ratio("high", at)),
        }),
      },
    ];
  });
}

/**
 * A comparison of the commits before the newest one.
 * @param {Index} index
 */
function syntheticComparison(index) {
  const [base, head] = index.commits.slice(-3);
  const findings = index.cases.slice(0, 24).map((of, which) => {
    const ratio = which % 6 === 0 ? 0.93 : which % 9 === 4 ? 1.06 : 1 + (which % 5) / 500;
    const verdict = ratio < 0.95 ? "regression" : ratio > 1.05 ? "improvement" : "unchanged";
    const edges = { low_ratio: ratio * 0.985, high_ratio: ratio * 1.015 };
    const metric = { metric: "throughput_rps", unit: "rps", better: "higher" };
    const decided = { verdict: which === 12 ? "suspected" : verdict, p_value: 0.001, pairs: 12 };
    return { case: of.case, ...metric, ratio, ...edges, ...decided };
  });
  const bottleneck = {
    metric: "bottleneck",
    base: "server CPU",
    head: "thread cap",
    verdict: "changed",
  };
  return {
    ...COMPARISON,
    id: "20260105T090000Z-compare-0badcafe",
    base,
    head,
    findings,
    facts: [{ case: index.cases[1]?.case ?? "", ...bottleneck, note: "seen in 12 of 12 pairs" }],
  };
}

const COMPARISON = {
  schema: 1,
  purpose: "confirm",
  started_at: "2026-01-05T09:00:00Z",
  finished_at: "2026-01-05T10:00:00Z",
  profile: "compare",
  host: HOST,
  tools: TOOLS,
};

/**
 * The comparisons that the evidence of events is of.
 * @param {Index} index
 */
function evidenceOf(index) {
  const commits = (index.events ?? []).flatMap(({ culprit }) => [culprit.before, culprit.after]);
  return (index.events ?? []).flatMap((event) =>
    (event.evidence ?? []).map((each) => ({
      ...COMPARISON,
      id: each.comparison,
      base: commits.find(({ sha }) => sha === each.base),
      head: commits.find(({ sha }) => sha === each.head),
      findings: event.affected_series
        .filter((affected) => affected.case === each.case && affected.metric === each.metric)
        .map(({ case: name, metric, unit, better }) => ({
          ...{ case: name, metric, unit, better },
          ...{ ratio: each.ratio, low_ratio: each.low_ratio, high_ratio: each.high_ratio },
          ...{ p_value: 0.001, pairs: each.pairs },
          verdict: each.agrees ? event.direction : "unchanged",
        })),
    })),
  );
}

/**
 * The packed files below `data/`: the newest runs, and what events may rest on.
 * @param {Index} index
 * @returns {Generator<[path: string, content: object]>}
 */
export function* packedFiles(index) {
  const first = Math.max(0, index.runs.id.length - PUBLISHED);
  for (let at = first; at < index.runs.id.length; at += 1) {
    yield [`runs/${index.runs.id[at]}.json.gz`, syntheticRun(index, at)];
  }
  if (index.commits.length < 3) return;
  const evidence = evidenceOf(index);
  for (const each of evidence) yield [`comparisons/${each.id}.json.gz`, each];
  yield ["evidence.json.gz", { schema: 1, comparisons: [syntheticComparison(index), ...evidence] }];
}
