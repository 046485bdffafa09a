/** What made-up histories and made-up runs have in common: a host, metrics, and their numbers. */

export const HOST = {
  class: "c0ffee12",
  fingerprint: "c0ffee1234567890",
  cpu_model: "AMD EPYC-Milan Processor",
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
export const METRICS = [
  { name: "throughput_rps", unit: "rps", better: "higher", around: 199.5 },
  { name: "latency_p50_s", unit: "s", better: "lower", around: 1.0024 },
  { name: "latency_p99_s", unit: "s", better: "lower", around: 1.041 },
  { name: "error_ratio", unit: "ratio", better: "lower", around: 0 },
  { name: "cpu_per_request_s", unit: "s", better: "lower", around: 0.000_213 },
  { name: "memory_peak_bytes", unit: "bytes", better: "lower", around: 4.1e8 },
  { name: "startup_s", unit: "s", better: "lower", around: 2.31 },
];

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

/**
 * @param {number} around
 * @param {number} which the case
 * @param {number} run
 * @param {number} runs of the whole history: from 60 % on the level is 6 % lower
 */
export function measured(around, which, run, runs) {
  const level = around * (1 + (which % 7) / 10) * (run > runs * 0.6 ? 0.94 : 1);
  const median = level * (1 + (noise(which * 7919 + run) - 0.5) * 0.03);
  return [short(median), short(median * 0.985), short(median * 1.015)];
}
