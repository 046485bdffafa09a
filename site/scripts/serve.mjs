/**
 * The built page over a history folder, as GitHub Pages serves it below a project's name.
 * usage: node scripts/serve.mjs HISTORY [PORT]     HISTORY is the folder that holds data/
 */

import { once } from "node:events";
import { createReadStream } from "node:fs";
import { realpath, stat } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, sep } from "node:path";
import { pipeline } from "node:stream/promises";
import { fileURLToPath } from "node:url";
import { createGzip } from "node:zlib";

const built = fileURLToPath(new URL("../dist/", import.meta.url));
/** @type {Record<string, string>} */
const TYPES = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".svg": "image/svg+xml",
  ".atom": "application/atom+xml; charset=utf-8",
};

/** A page of another host whose name leads here, too, would otherwise read what is shown (DNS rebinding). */
const OWN_NAME = /^(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/i;
const LONGEST_ADDRESS = 2_000;

/**
 * The path that a request names; null where it names none. What a browser never sends is no path
 * either: whole addresses, steps to the folder above, bytes that are no text.
 * @param {string} address
 * @returns {string | null}
 */
function pathOf(address) {
  if (address.length > LONGEST_ADDRESS || !/^\/(?!\/)/.test(address)) return null;
  let path;
  try {
    path = decodeURIComponent(address.replace(/[?#].*$/s, ""));
  } catch {
    return null;
  }
  const harmful = path.includes("\0") || path.includes("\\");
  return harmful || path.split("/").some((part) => part === ".." || part === ".") ? null : path;
}

/**
 * The file for a path below `prefix`: the page's own first, then the history's. None that a link
 * in them leads out to.
 * @param {string} path
 * @param {string} history
 * @param {string} prefix
 * @returns {Promise<string | null>}
 */
async function find(path, history, prefix) {
  if (!path.startsWith(prefix)) return null;
  for (const folder of [built, history]) {
    const file = await realpath(join(folder, path.slice(prefix.length) || "index.html")).catch(
      () => null,
    );
    const top = await realpath(folder).catch(() => null);
    if (file === null || top === null || !file.startsWith(top + sep)) continue;
    if ((await stat(file).catch(() => null))?.isFile()) return file;
  }
  return null;
}

/**
 * @param {import("node:http").ServerResponse} response
 * @param {number} status
 * @param {string} text
 */
function refuse(response, status, text) {
  response.writeHead(status, { "content-type": "text/plain" }).end(`${text}\n`);
}

/**
 * @param {import("node:http").IncomingMessage} request
 * @param {import("node:http").ServerResponse} response
 * @param {string} history
 * @param {string} prefix
 * @returns {Promise<void>}
 */
async function answer(request, response, history, prefix) {
  if (!OWN_NAME.test(request.headers.host ?? "")) {
    refuse(response, 403, "this server answers as localhost and 127.0.0.1 alone");
    return;
  }
  const path = pathOf(request.url ?? "");
  if (path === null) {
    refuse(response, 400, "bad request");
    return;
  }
  const file = await find(path, history, prefix);
  if (file === null) {
    refuse(response, 404, "not found");
    return;
  }
  const type = TYPES[extname(file)] ?? "application/octet-stream";
  const content = createReadStream(file);
  if (file.endsWith(".gz")) {
    // as it is: who asked for it unpacks it
    response.writeHead(200, { "content-type": type });
    await pipeline(content, response);
    return;
  }
  response.writeHead(200, { "content-type": type, "content-encoding": "gzip" });
  await pipeline(content, createGzip(), response);
}

/**
 * Listen on `port`, or on any free one where somebody has it already.
 * @param {import("node:http").Server} server
 * @param {number} port
 * @returns {Promise<void>}
 */
async function listening(server, port) {
  try {
    await once(server.listen(port, "127.0.0.1"), "listening");
  } catch (problem) {
    const taken = problem instanceof Error && "code" in problem && problem.code === "EADDRINUSE";
    if (!taken || port === 0) throw problem;
    console.error(`port ${port} is taken; another one is used`);
    await listening(server, 0);
  }
}

/**
 * A server of the built page beside `history`, on a free port unless one is given.
 * @param {string} history
 * @param {{ port?: number, prefix?: string }} [options]
 * @returns {Promise<{ url: string, close: () => void }>}
 */
export async function serve(history, { port = 0, prefix = "/springbench/" } = {}) {
  const server = createServer((request, response) => {
    // a file that cannot be read, or a browser that goes away, ends that answer and nothing else
    answer(request, response, history, prefix).catch(() => response.destroy());
  });
  await listening(server, port);
  const address = server.address();
  const bottleneck = typeof address === "object" && address !== null ? address.port : port;
  return {
    url: `http://127.0.0.1:${bottleneck}${prefix}`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [history, port = "8000"] = process.argv.slice(2);
  if (history === undefined) {
    console.error("usage: node scripts/serve.mjs HISTORY [PORT]");
    process.exit(2);
  }
  const { url, close } = await serve(history, { port: Number(port) });
  process.on("SIGINT", () => {
    close();
    process.exit(0);
  });
  console.log(`${url} shows ${history}; stop with Ctrl-C`);
}
