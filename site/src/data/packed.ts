/** Reading packed files (`.json.gz`): unpacked in the browser, and never more than it can hold. */

import { answerFor, checked, orProblem, Problem } from "./load";

const MIB = 2 ** 20;
/** A run of 400 cases takes half a MiB; far beyond that something is wrong. */
const MOST_UNPACKED = 48 * MIB;
const MOST_PACKED = 12 * MIB;
const MAGIC = [0x1f, 0x8b];

/** A packed file under `data/` as JSON of schema `version`. Throws a Problem. */
export async function loadPacked(path: string, version: number): Promise<unknown> {
  const response = await answerFor(path);
  const bytes = await orProblem(taken(response.body, MOST_PACKED, path), "problem.fetch", path);
  const text = await orProblem(unpacked(bytes, path), "problem.packed", path);
  return checked(parsed(text, path), path, version);
}

/** The text in packed bytes; some servers unpack such files on the way, so they may be plain. */
export async function unpacked(bytes: Uint8Array<ArrayBuffer>, path: string): Promise<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  if (MAGIC.some((byte, at) => bytes[at] !== byte)) return decoder.decode(bytes);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return decoder.decode(await taken(stream, MOST_UNPACKED, path));
}

/** All bytes of a stream, given up as soon as there are more than `most`. */
async function taken(
  stream: ReadableStream<Uint8Array<ArrayBuffer>> | null,
  most: number,
  path: string,
): Promise<Uint8Array<ArrayBuffer>> {
  if (stream === null) return new Uint8Array();
  const reader = stream.getReader();
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    parts.push(next.value);
    size += next.value.byteLength;
    if (size <= most) continue;
    await reader.cancel();
    throw new Problem("problem.size", { path, limit: most / MIB });
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

function parsed(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Problem("problem.json", { path });
  }
}
