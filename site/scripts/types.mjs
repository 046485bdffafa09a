/**
 * Types of what the page reads, and the metrics that it shows, generated from bench/schema.
 * usage: node scripts/types.mjs [--check]     --check writes nothing and fails when one is stale
 */

import { readFile, writeFile } from "node:fs/promises";
import { compile } from "json-schema-to-typescript";
import { SCHEMAS } from "./schemas.mjs";

const schemaFolder = new URL("../../bench/schema/", import.meta.url);
const typeFolder = new URL("../src/generated/", import.meta.url);
const banner = "/* Generated from bench/schema by `npm run types`. Do not edit. */";

/**
 * The schema without the titles of its fields: each would become a type of its own.
 * @param {unknown} node
 * @param {boolean} named whether the keys of `node` are names of fields or of types
 * @returns {unknown}
 */
function withoutTitles(node, named = false) {
  if (Array.isArray(node)) return node.map((each) => withoutTitles(each));
  if (typeof node !== "object" || node === null) return node;
  const kept = Object.entries(node).filter(
    ([key, value]) => named || key !== "title" || typeof value !== "string",
  );
  return Object.fromEntries(
    kept.map(([key, value]) => [
      key,
      withoutTitles(value, !named && (key === "properties" || key === "$defs")),
    ]),
  );
}

/**
 * The TypeScript of one schema.
 * @param {string} name
 * @returns {Promise<string>}
 */
async function generate(name) {
  const text = await readFile(new URL(`${name}.schema.json`, schemaFolder), "utf8");
  const schema = JSON.parse(text);
  const type = schema.title;
  return compile(/** @type {object} */ (withoutTitles(schema)), type, {
    additionalProperties: false,
    bannerComment: banner,
    format: true,
  });
}

/** The metrics that have a label, and the bottlenecks of what is not ranked. */
async function generateMetrics() {
  const text = await readFile(new URL("metrics.json", schemaFolder), "utf8");
  const { metrics, unranked } = JSON.parse(text);
  const shown = metrics
    .filter((/** @type {object} */ metric) => "label" in metric)
    .map((/** @type {Record<string, unknown>} */ { description, published, ...row }) => row);
  const views = [
    ...new Set(shown.flatMap((/** @type {any} */ { views }) => Object.keys(views))),
  ].sort();
  return `${banner}

export interface DeclaredMetric {
  readonly name: string;
  readonly unit: "s" | "bytes" | "rps" | "ratio" | "count";
  readonly better: "higher" | "lower";
  readonly label: { readonly en: string; readonly zh: string };
  readonly views: {
${views.map((view) => `    readonly ${view}?: number;\n`).join("")}  };
  readonly explains: boolean;
  readonly mostly_delay: boolean;
  readonly silent_at_zero: boolean;
  readonly reported: boolean;
}

export const METRICS: readonly DeclaredMetric[] = [
${shown.map((/** @type {object} */ row) => `  ${JSON.stringify(row)},\n`).join("")}];

/** Bottlenecks of a throughput that is not what the server can do. */
export const UNRANKED: ReadonlySet<string> = new Set(${JSON.stringify(unranked)});
`;
}

const files = new Map([["metrics.ts", generateMetrics]]);
for (const name of SCHEMAS) files.set(`${name.replaceAll("-", "_")}.ts`, () => generate(name));

const check = process.argv.includes("--check");
let stale = 0;
for (const [file, made] of files) {
  const target = new URL(file, typeFolder);
  const fresh = await made();
  if (!check) {
    await writeFile(target, fresh);
    continue;
  }
  const stored = await readFile(target, "utf8").catch(() => null);
  if (stored !== fresh) {
    console.error(`site/src/generated/${file} is stale; run: npm run types (in site/)`);
    stale += 1;
  }
}
process.exitCode = stale > 0 ? 1 : 0;
