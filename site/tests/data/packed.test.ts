import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { unpacked } from "../../src/data/packed";
import { runPath } from "../../src/data/published";

const bytes = (text: string | Buffer) => new Uint8Array(Buffer.from(text));

test("packed text is unpacked, and plain text is taken as it is", async () => {
  expect(await unpacked(bytes(gzipSync('{"schema":2}')), "x")).toBe('{"schema":2}');
  expect(await unpacked(bytes('{"schema":2}'), "x")).toBe('{"schema":2}');
});

test("what was cut off is refused", async () => {
  const archive = gzipSync("a".repeat(10_000));
  await expect(unpacked(bytes(archive.subarray(0, 20)), "x")).rejects.toThrow();
});

test("a small file that would unpack to very much is given up", async () => {
  const bomb = gzipSync(Buffer.alloc(60 * 2 ** 20));
  expect(bomb.byteLength).toBeLessThan(2 ** 20);
  await expect(unpacked(bytes(bomb), "x")).rejects.toMatchObject({ what: "problem.size" });
});

test.each(["../index", "a/b", "", "x?y", "x#y"])("'%s' is no name of a run", (id) => {
  expect(() => runPath(id)).toThrow(RangeError);
});
