/**
 * The dashboard as one file that opens from a disk: what `springbench` puts a run's data into.
 * usage: node scripts/report_page.mjs [FILE]     FILE is report/report.html unless given
 */

import { createHash } from "node:crypto";
import { mkdir, rename, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";

const root = fileURLToPath(new URL("..", import.meta.url));
const FILE = fileURLToPath(new URL("../report/report.html", import.meta.url));
/** As `springbench.history.offline` looks for it. */
const MARK = '<script id="springbench-data" type="application/json"></script>';

/** @param {string} text */
function digest(text) {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}

/**
 * The parts of the built page: its HTML, and all of its code and of its style in one text each.
 * @returns {Promise<{ html: string, script: string, style: string }>}
 */
async function parts() {
  const built = await build({
    root,
    logLevel: "warn",
    build: {
      write: false,
      cssCodeSplit: false,
      chunkSizeWarningLimit: 2000,
      rolldownOptions: { output: { codeSplitting: false } },
    },
  });
  const files = [built].flat().flatMap((each) => ("output" in each ? each.output : []));
  const script = files.flatMap((file) => (file.type === "chunk" ? [file.code] : []));
  /** @param {string} ending */
  const assets = (ending) =>
    files.flatMap((file) =>
      file.type === "asset" && file.fileName.endsWith(ending) ? [String(file.source)] : [],
    );
  const [html] = assets(".html");
  if (html === undefined || script.length !== 1) {
    throw new Error(`the page is not in one piece: ${files.map((each) => each.fileName)}`);
  }
  return { html, script: /** @type {string} */ (script[0]), style: assets(".css").join("\n") };
}

/**
 * One page: nothing is fetched, and nothing runs or looks but what was built.
 * @param {{ html: string, script: string, style: string }} built
 */
export function whole({ html, script, style }) {
  // a text of the code may not end its element
  const code = script.replaceAll("</script", "<\\/script").replaceAll("<!--", "\\x3c!--");
  const policy = [
    "default-src 'none'",
    `script-src ${digest(code)}`,
    `style-src ${digest(style)}`,
    "img-src data: blob:",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  const head = html
    .replace(/<link rel="stylesheet"[^>]*>/g, "")
    // a file has no feed beside it
    .replace(/<link\s+rel="alternate"[^>]*>/g, "")
    .replace(/<script type="module"[^>]*><\/script>/g, "")
    .replace(
      /(http-equiv="Content-Security-Policy"\s+content=")[^"]*/,
      (_, start) => start + policy,
    );
  if (!head.includes(policy)) throw new Error("index.html has no Content-Security-Policy");
  // functions, for `$&` and the like are words of the code
  return head
    .replace("</head>", () => `<style>${style}</style></head>`)
    .replace("</body>", () => `${MARK}<script type="module">${code}</script></body>`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [file = FILE] = process.argv.slice(2);
  await mkdir(dirname(file), { recursive: true });
  // whoever reads it meanwhile finds the old one or the new one
  await writeFile(`${file}.new`, whole(await parts()));
  await rename(`${file}.new`, file);
}
