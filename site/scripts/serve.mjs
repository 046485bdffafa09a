/**
 * The built page over a history folder, as GitHub Pages serves it below a project's name.
 * usage: node scripts/serve.mjs HISTORY [PORT]     HISTORY is the folder that holds data/
 */

import { once } from "node:events";
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
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

/**
 * The file for an address below `prefix`: the page's own first, then the history's.
 * @param {string} address
 * @param {string} history
 * @param {string} prefix
 * @returns {Promise<string | null>}
 */
async function find(address, history, prefix) {
  const { pathname } = new URL(address, "http://localhost");
  if (!pathname.startsWith(prefix)) return null;
  const path = normalize(decodeURIComponent(pathname.slice(prefix.length)) || "index.html");
  if (path.startsWith("..")) return null;
  for (const folder of [built, history]) {
    const file = join(folder, path);
    if ((await stat(file).catch(() => null))?.isFile()) return file;
  }
  return null;
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
  const server = createServer(async (request, response) => {
    const file = await find(request.url ?? "/", history, prefix);
    if (file === null) {
      response.writeHead(404, { "content-type": "text/plain" }).end("not found\n");
      return;
    }
    const type = TYPES[extname(file)] ?? "application/octet-stream";
    const content = createReadStream(file);
    if (file.endsWith(".gz")) {
      // as it is: who asked for it unpacks it
      response.writeHead(200, { "content-type": type });
      content.pipe(response);
      return;
    }
    response.writeHead(200, { "content-type": type, "content-encoding": "gzip" });
    content.pipe(createGzip()).pipe(response);
  });
  await listening(server, port);
  const address = server.address();
  const bound = typeof address === "object" && address !== null ? address.port : port;
  return {
    url: `http://127.0.0.1:${bound}${prefix}`,
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
