/** Published files, changed as no publisher would. */

import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";

/** Change the text of all files in a folder whose path fits, packed ones too. */
export async function rewrite(
  folder: string,
  which: RegExp,
  change: (text: string) => string,
): Promise<void> {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (!entry.isFile() || !which.test(path)) continue;
    const bytes = await readFile(path);
    const packed = path.endsWith(".gz");
    const text = change((packed ? gunzipSync(bytes) : bytes).toString());
    await writeFile(path, packed ? gzipSync(text) : text);
  }
}

/** Fields with words of people, hosts and programs; by the others the page looks things up. */
const WORDS = new Set([
  ..."message author branch reason notes warnings texts shared note by moved".split(" "),
  ..."cpu_model os kernel virtualisation cpus_enforced_by memory_enforced_by jdk wrk".split(" "),
]);

/** A document with `evil` in each field that has words, and addresses that are programs. */
export function poisoned(node: unknown, evil: string, key = ""): unknown {
  if (typeof node === "string") {
    if (key === "url") return "javascript:alert(3)";
    return WORDS.has(key) ? evil + node : node;
  }
  if (Array.isArray(node)) return node.map((item) => poisoned(item, evil, key));
  if (typeof node !== "object" || node === null) return node;
  return Object.fromEntries(
    Object.entries(node).map(([name, value]) => [name, poisoned(value, evil, name)]),
  );
}
