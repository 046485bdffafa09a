/**
 * A made-up history of any size, in the form that is published: for tests and for the load time.
 * usage: node scripts/synthetic.mjs FOLDER [RUNS [CASES [HOSTS]]]
 *
 * Of the cases the first 40 are of a JVM with 100 connections; more bring other numbers of
 * connections and other runtimes, up to 320. Twelve runs of eight cases or more have events.
 */

import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { syntheticAnswers, syntheticClaims } from "./synthetic_answers.mjs";
import { syntheticEvents, toldFiles } from "./synthetic_events.mjs";
import {
  bottleneckOf,
  HOST,
  METRICS,
  measured,
  noise,
  OTHER_HOST,
  theoreticalMaxOf,
} from "./synthetic_numbers.mjs";
import { packedFiles } from "./synthetic_run.mjs";

/** @typedef {{ runs: number, cases: number, perMonth?: number, newest?: number, hosts?: number }} Size */

const VARIANTS = ["platform", "virtual"].flatMap((model) =>
  ["tomcat", "jetty", "undertow", "netty"].map((server) => ({ server, model })),
);
const HOW = "push-5x10s";
const WORKLOADS = ["hello", "pay", "json", "task", "upstream"];

/** What each round of variants and workloads is of; further ones have ever more connections. */
const ROUNDS = [
  { runtime: "jvm", connections: 100 },
  { runtime: "jvm", connections: 1000 },
  { runtime: "native", connections: 100 },
  { runtime: "jvm", connections: 400 },
  { runtime: "jvm-aot", connections: 100 },
  { runtime: "jvm", connections: 3000 },
  { runtime: "native", connections: 1000 },
  { runtime: "native", connections: 3000 },
];

/** @param {number} round */
const roundOf = (round) => ROUNDS[round] ?? { runtime: "jvm", connections: 100 * (40 + round) };

/** @param {number} count */
export function syntheticCases(count) {
  return Array.from({ length: count }, (_, at) => {
    const workload = WORKLOADS[Math.floor(at / VARIANTS.length) % WORKLOADS.length] ?? "hello";
    const { server, model } = VARIANTS[at % VARIANTS.length] ?? { server: "tomcat", model: "x" };
    const round = Math.floor(at / (VARIANTS.length * WORKLOADS.length));
    const { runtime, connections } = roundOf(round);
    const boot = server === "undertow" ? "boot3" : "boot4";
    const id = `${boot}-${server}-${model}-${runtime}/${workload}/${connections}`;
    return {
      case: id,
      boot,
      server,
      model,
      runtime,
      workload,
      connections,
      configuration: HOW,
    };
  });
}

/** @param {number} run */
const time = (run) => new Date(Date.UTC(2026, 0, 5, 8) + run * 2.6e7).toISOString();

/** @param {number} run */
const runId = (run) => `20260105T080000Z-push-${String(run).padStart(8, "0")}`;

/** @param {number} run */
function commit(run) {
  return {
    sha: Math.floor(noise(run) * 2 ** 47)
      .toString(16)
      .padStart(12, "0"),
    time: time(run),
    message: `Change number ${run}: <b>not markup</b> & a line that says what was changed and why`,
    author: "A. Committer",
  };
}

/**
 * @param {number} first
 * @param {number} count
 */
function runColumns(first, count) {
  const runs = Array.from({ length: count }, (_, at) => first + at);
  return {
    commits: runs.map(commit),
    runs: {
      id: runs.map(runId),
      started_at: runs.map((run) => time(run + 0.05)),
      commit: runs.map((_, at) => at),
      profile: runs.map(() => "push"),
      trigger: runs.map(() => "push"),
      marks: runs.map((run) => (run % 17 === 3 ? ["drifted"] : [])),
      ok: runs.map(() => 1),
      failed: runs.map(() => 0),
      url: runs.map((run) => `https://example.invalid/runs/${run}`),
      branch: runs.map(() => "main"),
      boots: runs.map(() => ({ boot4: "4.0.7", boot3: "3.5.16" })),
      environments: ["kernel 6.8.0"],
      environment: runs.map(() => 0),
      service: runs.map(() => null),
    },
  };
}

/**
 * @param {ReturnType<typeof syntheticCases>[number]} of
 * @param {number} which
 * @param {number} first
 * @param {number} count
 * @param {Size} size
 */
function series(of, which, first, count, size) {
  const failed = count > 4 ? 2 : -1;
  /** @type {Record<string, { median: (number | null)[], low: (number | null)[], high: (number | null)[] }>} */
  const metrics = {};
  for (const metric of METRICS) {
    const rows = Array.from({ length: count }, (_, at) =>
      at === failed ? [null, null, null] : measured(metric, of, which, first + at, size.runs),
    );
    const column = (/** @type {number} */ at) => rows.map((row) => row[at] ?? null);
    metrics[metric.name] = { median: column(0), low: column(1), high: column(2) };
  }
  const each = Array.from({ length: count }, (_, at) => at);
  return {
    run: each,
    status: each.map((at) => (at === failed ? "failed" : "ok")),
    bottleneck: each.map((at) => (at === failed ? null : bottleneckOf(of, which))),
    n: each.map((at) => (at === failed ? 0 : 5)),
    metrics,
  };
}

/**
 * What the index says of one kind of hosts.
 * @param {Size} size
 * @param {ReturnType<typeof syntheticCases>} cases
 * @param {typeof HOST} host
 */
function classRow(size, cases, host) {
  const { runs } = size;
  const last = runs - 1;
  // other hosts measured the first half of the cases
  const of = host === HOST ? cases : cases.slice(0, Math.ceil(cases.length / 2));
  const metrics = Object.fromEntries(
    METRICS.map((metric) => {
      const rows = of.map((each, which) => measured(metric, each, which, last, runs));
      const column = (/** @type {number} */ at) => rows.map((row) => row[at] ?? null);
      return [metric.name, { median: column(0), low: column(1), high: column(2) }];
    }),
  );
  const { sha } = commit(last);
  const concluded = { run: runId(last), startedAt: time(last + 0.05), hostClass: host.class };
  return {
    class: host.class,
    host,
    months: monthsOf(size).map(({ month, count }) => ({ month, runs: count })),
    points: cases.map((_, at) => (at < of.length ? runs : 0)),
    latest: {
      row: of.map((_, at) => at),
      run: of.map(() => runId(last)),
      started_at: of.map(() => time(last + 0.05)),
      time: of.map(() => time(last)),
      sha: of.map(() => sha),
      marks: of.map(() => (last % 17 === 3 ? ["drifted"] : [])),
      status: of.map(() => "ok"),
      bottleneck: of.map(bottleneckOf),
      n: of.map(() => 5),
      theoretical_max_rps: of.map(theoreticalMaxOf),
      notes: of.map((_, at) => (at % 8 === 5 ? [0] : [])),
      texts: ["Its pool has 200 threads. To lift it, set server.example.threads.max."],
      metrics,
    },
    answers: syntheticAnswers(concluded),
    claims: syntheticClaims(concluded),
  };
}

/**
 * The months that have runs, each with its first run and how many it has. With `perMonth` each has
 * as many, whatever the time of its runs.
 * @param {Size} size
 */
function monthsOf({ runs, perMonth }) {
  const names = Array.from({ length: runs }, (_, run) => {
    const month = new Date(perMonth ? Date.UTC(2026, Math.floor(run / perMonth)) : time(run));
    return month.toISOString().slice(0, 7);
  });
  return [...new Set(names)].map((month) => ({
    month,
    first: names.indexOf(month),
    count: names.lastIndexOf(month) - names.indexOf(month) + 1,
  }));
}

/** @param {string} name of a series; its file ends with the FNV-1a of it */
function seriesFile(name) {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(name)) hash = Math.imul(hash ^ byte, 0x01000193);
  return `${name.replaceAll("/", "~")}.${(hash >>> 0).toString(16).padStart(8, "0")}.json`;
}

/** @param {Size} size */
const hostsOf = ({ hosts = 1 }) => [HOST, OTHER_HOST].slice(0, hosts);

/** @param {Size} size */
function index(size) {
  const { runs, newest = 100 } = size;
  const count = Math.min(newest, runs);
  const cases = syntheticCases(size.cases);
  return {
    schema: 2,
    runs_total: runs,
    metrics: METRICS.map(({ name, unit, better }) => ({ name, unit, better })),
    cases,
    classes: runs > 0 ? hostsOf(size).map((host) => classRow(size, cases, host)) : [],
    ...runColumns(runs - count, count),
    ...eventsOf(size, cases),
  };
}

/**
 * @param {Size} size
 * @param {ReturnType<typeof syntheticCases>} cases
 */
function eventsOf({ runs }, cases) {
  if (runs < 12 || cases.length < VARIANTS.length) return {};
  return { events: syntheticEvents(runs, cases, commit, runId) };
}

/**
 * Every file below `data/`, one after the other.
 * @param {Size} size
 * @param {(which: number) => boolean} [wanted] the cases whose series are made
 * @returns {Generator<[path: string, content: object]>}
 */
export function* syntheticFiles(size, wanted = () => true) {
  yield ["index.json", index(size)];
  const cases = syntheticCases(size.cases);
  const months = monthsOf(size);
  for (const host of hostsOf(size)) {
    const measuredHere = host === HOST ? cases.length : Math.ceil(cases.length / 2);
    for (const { month, first, count } of months) {
      const folder = `series/${host.class}/${month}`;
      const head = { schema: 2, class: host.class, month };
      const there = cases.slice(0, measuredHere);
      const names = there.map((of) => `${of.case}@${HOW}`);
      yield [`${folder}/month.json`, { ...head, ...runColumns(first, count), series: names }];
      for (const [which, of] of there.entries()) {
        if (!wanted(which)) continue;
        const named = { case: of.case, configuration: HOW };
        const content = { ...head, ...named, ...series(of, which, first, count, size) };
        yield [`${folder}/${seriesFile(`${of.case}@${HOW}`)}`, content];
      }
    }
  }
}

/**
 * Write a history into `folder`/data.
 * @param {string} folder
 * @param {Size} size
 * @param {(which: number) => boolean} [wanted]
 */
export async function writeSynthetic(folder, size, wanted) {
  for (const [path, content] of syntheticFiles(size, wanted)) {
    await writeDocument(folder, path, content);
  }
  const made = /** @type {import("../src/data/contract").Index} */ (
    /** @type {unknown} */ (index(size))
  );
  for (const [path, content] of packedFiles(made)) await writeDocument(folder, path, content);
  for (const [path, text] of toldFiles(made.events ?? [])) await writeText(folder, path, text);
}

/**
 * @param {string} folder
 * @param {string} path
 * @param {object} content
 */
async function writeDocument(folder, path, content) {
  await writeText(folder, path, JSON.stringify(content));
}

/**
 * @param {string} folder
 * @param {string} path
 * @param {string} text
 */
async function writeText(folder, path, text) {
  const target = join(folder, "data", path);
  await mkdir(dirname(target), { recursive: true });
  await writeFile(target, path.endsWith(".gz") ? gzipSync(text) : text);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [folder, runs = "40", cases = "16", hosts = "1"] = process.argv.slice(2);
  if (folder === undefined) {
    console.error("usage: node scripts/synthetic.mjs FOLDER [RUNS [CASES [HOSTS]]]");
    process.exit(2);
  }
  const size = { runs: Number(runs), cases: Number(cases), hosts: Number(hosts) };
  await writeSynthetic(folder, size);
}
