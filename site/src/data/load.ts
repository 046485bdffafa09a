/** Reading published files: what can go wrong is one sentence, with what to do about it. */

import type { WordKey } from "../words/en";
import type { Values } from "../words/words";
import { embedded } from "./embedded";

/** What may be wrong: each has a sentence, and one more that says what helps. */
export type Trouble =
  Extract<WordKey, `problem.${string}.remedy`> extends `${infer T}.remedy` ? T : never;

/** A message to a reader, by the key of its sentence. */
export class Problem extends Error {
  constructor(
    readonly what: Trouble,
    readonly values: Values,
  ) {
    super(what);
  }
}

/** No such file: a branch without history, or a series without this metric. */
export class Missing extends Problem {}

/** So long an answer is waited for. */
const PATIENCE_MS = 20_000;

/** A file under `data/` as JSON of schema `version`. Throws a Problem. */
export async function loadJson(path: string, version: number): Promise<unknown> {
  const response = await answerFor(path);
  return checked(await orProblem(response.json(), "problem.json", path), path, version);
}

/** The answer for a file under `data/`, its body still on the way. Throws a Problem. */
export async function answerFor(path: string): Promise<Response> {
  const inside = embedded();
  if (inside !== null) return insideAnswer(inside.get(path), path);
  const address = new URL(`data/${path}`, document.baseURI);
  // a new point must show on the next visit: ask whether the stored copy is still true
  const signal = AbortSignal.timeout(PATIENCE_MS);
  const request = fetch(address, { cache: "no-cache", signal });
  const response = await orProblem(request, "problem.fetch", path);
  if (response.status === 404) throw new Missing("problem.missing", { path });
  if (!response.ok) throw new Problem("problem.status", { path, status: response.status });
  return response;
}

function insideAnswer(text: string | undefined, path: string): Response {
  if (text === undefined) throw new Missing("problem.missing", { path });
  return new Response(text);
}

/** What is waited for; the problem `what` where it fails, another where it came too late. */
export async function orProblem<T>(waited: Promise<T>, what: Trouble, path: string): Promise<T> {
  try {
    return await waited;
  } catch (problem) {
    if (problem instanceof Problem) throw problem;
    const late = problem instanceof DOMException && problem.name === "TimeoutError";
    throw new Problem(late ? "problem.late" : what, { path });
  }
}

/** The document itself if its schema is one that this page reads. Throws a Problem. */
export function checked(document: unknown, path: string, version: number): unknown {
  const found =
    typeof document === "object" && document !== null && "schema" in document
      ? document.schema
      : undefined;
  if (found === version) return document;
  const newer = typeof found === "number" && found > version;
  throw new Problem(newer ? "problem.newer" : "problem.schema", {
    path,
    version,
    found: String(found),
  });
}
