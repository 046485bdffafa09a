/** The local server, asked as no browser asks. */

import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { serve } from "../../scripts/serve.mjs";

let folder: string;
let server: Awaited<ReturnType<typeof serve>>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "springbench-serve-"));
  await mkdir(join(folder, "history", "data"), { recursive: true });
  await writeFile(join(folder, "history", "data", "index.json"), "{}");
  await writeFile(join(folder, "secret"), "nobody's");
  await symlink(join(folder, "secret"), join(folder, "history", "data", "link"));
  await mkdir(join(folder, "history", "data", "folder"));
  server = await serve(join(folder, "history"));
});

afterAll(async () => {
  server.close();
  await rm(folder, { recursive: true });
});

/** The status and the rest of what is answered to these very bytes. */
function ask(address: string, host = "localhost"): Promise<{ status: number; text: string }> {
  const port = Number(new URL(server.url).port);
  return new Promise((resolve, reject) => {
    let text = "";
    const socket = connect(port, "127.0.0.1", () => {
      socket.write(
        `GET ${address} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`,
        "latin1",
      );
    });
    socket.on("data", (piece) => {
      text += piece.toString("latin1");
    });
    socket.on("error", reject);
    socket.on("close", () => resolve({ status: Number(text.split(" ")[1]), text }));
  });
}

test.each([
  "/%",
  "/springbench/%",
  "/springbench/%zz",
  "/springbench/%ff%fe",
  "/springbench/%00",
  "/springbench/data/index.json%00.html",
  "/springbench/../secret",
  "/springbench/%2e%2e/secret",
  "/springbench/data/..%2f..%2fsecret",
  "/springbench/..%5csecret",
  "http://localhost/springbench/data/index.json",
  "//localhost/springbench/data/index.json",
  "*",
  `/springbench/${"x".repeat(5_000)}`,
])("%s is a bad request, and the server lives", async (address) => {
  expect((await ask(address)).status).toBe(400);
  expect((await ask("/springbench/data/index.json")).status).toBe(200);
});

test.each([
  "/springbench/data/link",
  "/springbench/data/folder",
  "/springbench/data/%252e%252e/secret",
  "/data/index.json",
  "/",
])("%s is not found", async (address) => {
  const { status, text } = await ask(address);
  expect(status).toBe(404);
  expect(text).not.toContain("nobody's");
});

test.each(["localhost", "LOCALHOST:9000", "127.0.0.1", "[::1]:8000"])(
  "%s is a name of it",
  async (host) => {
    expect((await ask("/springbench/data/index.json?x=1", host)).status).toBe(200);
  },
);

test.each([
  "evil.example",
  "localhost.evil.example",
  "127.0.0.1.evil.example:8000",
  "localhost:x",
  "",
  "10.0.0.1",
])("to '%s' nothing is shown", async (host) => {
  const { status, text } = await ask("/springbench/data/index.json", host);
  expect(status).toBe(403);
  expect(text).not.toContain("{}");
});

test("only this host reaches it", () => {
  expect(new URL(server.url).hostname).toBe("127.0.0.1");
});
