/** What made-up histories and made-up runs have in common: a host, metrics, and their numbers. */

import { readFileSync } from "node:fs";

export const HOST = {
  class: "c0ffee12",
  fingerprint: "c0ffee1234567890",
  cpu_model: "Made-up CPU",
  cores: 2,
  memory_bytes: 8_331_063_296,
  os: "Debian GNU/Linux 12",
  kernel: "6.1.0",
  virtualisation: "kvm",
  server_cpus: 1,
  memory_limit_bytes: 1_073_741_824,
  cpus_enforced_by: "cgroup v2",
  memory_enforced_by: "cgroup v2",
};
/** Other hosts, whose numbers are never compared with those of the first. */
export const OTHER_HOST = {
  ...HOST,
  class: "beefcafe",
  fingerprint: "beefcafe12345678",
  cpu_model: "Another made-up CPU",
  cores: 4,
  memory_bytes: 16_777_216_000,
  kernel: "6.8.0",
};
/** About what each metric is. @type {Record<string, number>} */
const LEVELS = {
  throughput_rps: 199.5,
  latency_p50_s: 1.0024,
  latency_p99_s: 1.041,
  error_ratio: 0,
  cpu_per_request_s: 0.000_213,
  memory_peak_bytes: 4.1e8,
  threads_max: 40,
  gc_pause_ratio: 0.004,
  startup_s: 2.31,
  memory_idle_bytes: 1.9e8,
  open_loop_50_latency_p99_s: 0.0031,
};
const registry = new URL("../../bench/schema/metrics.json", import.meta.url);
/** @type {readonly { name: string, unit: string, better: string }[]} */
const declared = JSON.parse(readFileSync(registry, "utf8")).metrics;
export const METRICS = Object.entries(LEVELS).flatMap(([name, around]) => {
  const metric = declared.find((each) => each.name === name);
  // as with a profile that loads a part of the cases at a constant rate
  const first = name.startsWith("open_loop_50") ? { first: 40 } : {};
  return metric ? [{ name, unit: metric.unit, better: metric.better, around, ...first }] : [];
});

/** Where a distribution is reported. */
const PERCENTS = [10, 25, 50, 75, 90, 95, 99, 99.5, 99.9];

/**
 * Latencies at constant rates; nothing of cases that were not loaded so.
 * @param {number} which the case
 */
export function distributionsOf(which) {
  if (which >= 40) return [];
  return [50, 80].map((capacity_percent, busier) => {
    const median = PERCENTS.map((percent) =>
      short(0.0009 * (1 + busier + (which % 7) / 6) * (100 / (100 - percent)) ** 0.4),
    );
    const times = (/** @type {number} */ by) => median.map((each) => short(each * by));
    return {
      capacity_percent,
      offered_rps: 24_000 * (busier + 1) - 900 * which,
      n: which % 11 === 4 ? 1 : 5,
      percent: PERCENTS,
      latency_s: { median, low: times(0.96), high: times(1.07) },
    };
  });
}

/**
 * The same number between 0 and 1 for the same seed.
 * @param {number} seed
 */
export function noise(seed) {
  const x = Math.sin(seed * 12.9898 + 78.233) * 43758.5453;
  return x - Math.floor(x);
}

/** @param {number} value */
const short = (value) => Number(value.toPrecision(5));

/** @typedef {{ workload: string, model: string, runtime: string, connections: number }} Of */

/** How a runtime differs from a JVM. @type {Record<string, Record<string, number>>} */
const RUNTIMES = {
  native: {
    throughput_rps: 0.8,
    cpu_per_request_s: 1.27,
    memory_peak_bytes: 0.55,
    gc_pause_ratio: 2.1,
    startup_s: 0.045,
    memory_idle_bytes: 0.32,
  },
  "jvm-aot": { startup_s: 0.48, memory_idle_bytes: 0.93 },
};

/** With so many connections a server has what it can take. @param {Of} of */
function most(of) {
  return of.model === "platform" ? 200 : of.runtime === "native" ? 1400 : 1800;
}

/** What connections and the delay allow; null where nothing waits. @param {Of} of */
export function theoreticalMaxOf(of) {
  return of.workload === "hello" ? null : 4 * of.connections;
}

/**
 * What limits a case; of each eight variants one has a small pool.
 * @param {Of} of
 * @param {number} which
 */
export function bottleneckOf(of, which) {
  if (which % 8 === 5) return "thread-cap";
  if (of.workload === "hello") return "server-cpu";
  if (of.connections <= most(of)) return "latency";
  return of.model === "platform" ? "thread-cap" : "server-cpu";
}

/**
 * How a metric grows from 100 connections to those of a case.
 * @param {string} name
 * @param {Of} of
 */
function growth(name, of) {
  const times = of.connections / 100;
  const over = Math.max(1, of.connections / most(of));
  const waits = of.workload !== "hello";
  if (name === "throughput_rps") return waits ? times / over : 1;
  if (name.startsWith("latency")) return waits ? over : times;
  if (name === "memory_peak_bytes") return 1 + 0.12 * Math.log2(times);
  if (name === "threads_max" && of.model === "platform") return Math.min(5, 2 * times);
  return 1;
}

/**
 * What a metric of a case is about, before a change and noise.
 * @param {{ name: string, around: number }} metric
 * @param {Of} of
 * @param {number} which the case
 */
function level({ name, around }, of, which) {
  // the same variant keeps its place among the others, whatever its connections
  const own = (which % 40) % 7;
  const waits = name === "throughput_rps" && of.workload !== "hello";
  const usual = waits ? 399 * (1 - own / 40) : around * (1 + own / 10);
  // with a wait at its theoretical maximum, a slower runtime shows only in what it can take at most
  const runtime = waits ? 1 : (RUNTIMES[of.runtime]?.[name] ?? 1);
  return usual * runtime * growth(name, of);
}

/**
 * @param {{ name: string, around: number, first?: number }} metric
 * @param {Of} of
 * @param {number} which the case
 * @param {number} run
 * @param {number} runs of the whole history: from 60 % on the level is 6 % lower
 */
export function measured(metric, of, which, run, runs) {
  if (which >= (metric.first ?? Number.POSITIVE_INFINITY)) return [null, null, null];
  const changed = level(metric, of, which) * (run > runs * 0.6 ? 0.94 : 1);
  const median = changed * (1 + (noise(which * 7919 + run) - 0.5) * 0.03);
  return [short(median), short(median * 0.985), short(median * 1.015)];
}
