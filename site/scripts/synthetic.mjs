/**
 * A made-up history of any size, in the form that is published: for tests and for the load time.
 * usage: node scripts/synthetic.mjs FOLDER [RUNS [CASES [RUNS_IN_A_CHUNK]]]
 */

import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { HOST, METRICS, measured, noise } from "./synthetic_numbers.mjs";
import { packedFiles } from "./synthetic_run.mjs";

/** @typedef {{ runs: number, cases: number, chunk?: number, newest?: number }} Size */

const VARIANTS = ["platform", "virtual"].flatMap((model) =>
  ["tomcat", "jetty", "undertow", "netty"].map((server) => ({ server, model })),
);
const HOW = "push-5x10s";
const WORKLOADS = ["hello", "pay", "json", "task", "upstream"];

/** @param {number} count */
export function syntheticCases(count) {
  return Array.from({ length: count }, (_, at) => {
    const workload = WORKLOADS[Math.floor(at / VARIANTS.length) % WORKLOADS.length] ?? "hello";
    const { server, model } = VARIANTS[at % VARIANTS.length] ?? { server: "tomcat", model: "x" };
    const connections = 100 * (1 + Math.floor(at / (VARIANTS.length * WORKLOADS.length)));
    const boot = server === "undertow" ? "boot3" : "boot4";
    const id = `${boot}-${server}-${model}-jvm/${workload}/${connections}`;
    return {
      case: id,
      boot,
      server,
      model,
      runtime: "jvm",
      workload,
      connections,
      conditions: HOW,
    };
  });
}

/** @param {number} run */
const time = (run) => new Date(Date.UTC(2026, 0, 5, 8) + run * 2.6e7).toISOString();

/**
 * @param {number} first
 * @param {number} count
 */
function runColumns(first, count) {
  const runs = Array.from({ length: count }, (_, at) => first + at);
  return {
    commits: runs.map((run) => ({
      sha: Math.floor(noise(run) * 2 ** 47)
        .toString(16)
        .padStart(12, "0"),
      time: time(run),
      message: `Change number ${run}: <b>not markup</b> & a line that says what was changed and why`,
      author: "A. Committer",
    })),
    runs: {
      id: runs.map((run) => `20260105T080000Z-push-${String(run).padStart(8, "0")}`),
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
    },
  };
}

/**
 * @param {number} which
 * @param {number} first
 * @param {number} count
 * @param {Size} size
 */
function series(which, first, count, size) {
  const failed = count > 4 ? 2 : -1;
  /** @type {Record<string, { median: (number | null)[], low: (number | null)[], high: (number | null)[] }>} */
  const metrics = {};
  for (const { name, around } of METRICS) {
    const rows = Array.from({ length: count }, (_, at) =>
      at === failed ? [null, null, null] : measured(around, which, first + at, size.runs),
    );
    const column = (/** @type {number} */ at) => rows.map((row) => row[at] ?? null);
    metrics[name] = { median: column(0), low: column(1), high: column(2) };
  }
  const each = Array.from({ length: count }, (_, at) => at);
  return {
    run: each,
    status: each.map((at) => (at === failed ? "failed" : "ok")),
    bound: each.map((at) => (at === failed ? null : "latency")),
    n: each.map((at) => (at === failed ? 0 : 5)),
    metrics,
  };
}

/** @param {Size} size */
function index(size) {
  const { runs, cases, chunk = 128, newest = 100 } = size;
  const count = Math.min(newest, runs);
  const last = runs - 1;
  const each = Array.from({ length: cases }, (_, at) => at);
  const chunks = Array.from({ length: Math.ceil(runs / chunk) }, (_, at) => ({
    chunk: String(at).padStart(5, "0"),
    runs: Math.min(chunk, runs - at * chunk),
    begin: [time(at * chunk), time(at * chunk), `run-${at * chunk}`],
  }));
  const metrics = Object.fromEntries(
    METRICS.map(({ name, around }) => {
      const rows = each.map((which) => measured(around, which, last, runs));
      const column = (/** @type {number} */ at) => rows.map((row) => row[at] ?? null);
      return [name, { median: column(0), low: column(1), high: column(2) }];
    }),
  );
  const newestRun = `20260105T080000Z-push-${String(last).padStart(8, "0")}`;
  const { sha = null } = runColumns(last, 1).commits[0] ?? {};
  const row = {
    class: HOST.class,
    host: HOST,
    chunks,
    points: each.map(() => runs),
    latest: {
      row: each,
      run: each.map(() => newestRun),
      started_at: each.map(() => time(last + 0.05)),
      time: each.map(() => time(last)),
      sha: each.map(() => sha),
      marks: each.map(() => (last % 17 === 3 ? ["drifted"] : [])),
      status: each.map(() => "ok"),
      bound: each.map((at) => (at % 8 === 5 ? "thread-cap" : "latency")),
      n: each.map(() => 5),
      ideal_rps: each.map((at) => (Math.floor(at / VARIANTS.length) % 5 === 0 ? null : 400)),
      notes: each.map((at) => (at % 8 === 5 ? [0] : [])),
      texts: ["Its pool has 200 threads. To lift it, set server.example.threads.max."],
      metrics,
    },
  };
  return {
    schema: 2,
    runs_total: runs,
    metrics: METRICS.map(({ name, unit, better }) => ({ name, unit, better })),
    cases: syntheticCases(cases),
    classes: runs > 0 ? [row] : [],
    ...runColumns(runs - count, count),
  };
}

/**
 * Every file below `data/`, one after the other.
 * @param {Size} size
 * @param {(which: number) => boolean} [wanted] the cases whose series are made
 * @returns {Generator<[path: string, content: object]>}
 */
export function* syntheticFiles(size, wanted = () => true) {
  yield ["index.json", index(size)];
  const ids = syntheticCases(size.cases);
  const chunk = size.chunk ?? 128;
  for (let first = 0; first < size.runs; first += chunk) {
    const count = Math.min(chunk, size.runs - first);
    const name = String(first / chunk).padStart(5, "0");
    const folder = `series/${HOST.class}/${name}`;
    const head = { schema: 2, class: HOST.class, chunk: name };
    yield [`${folder}/chunk.json`, { ...head, ...runColumns(first, count) }];
    for (const [which, { case: id }] of ids.entries()) {
      if (!wanted(which)) continue;
      const of = { case: id, conditions: HOW };
      const content = { ...head, ...of, ...series(which, first, count, size) };
      yield [`${folder}/${id.replaceAll("/", "~")}@${HOW}.json`, content];
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
}

/**
 * @param {string} folder
 * @param {string} path
 * @param {object} content
 */
async function writeDocument(folder, path, content) {
  const target = join(folder, "data", path);
  await mkdir(dirname(target), { recursive: true });
  const text = JSON.stringify(content);
  await writeFile(target, path.endsWith(".gz") ? gzipSync(text) : text);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [folder, runs = "40", cases = "16", chunk = "128"] = process.argv.slice(2);
  if (folder === undefined) {
    console.error("usage: node scripts/synthetic.mjs FOLDER [RUNS [CASES [RUNS_IN_A_CHUNK]]]");
    process.exit(2);
  }
  await writeSynthetic(folder, {
    runs: Number(runs),
    cases: Number(cases),
    chunk: Number(chunk),
  });
}
