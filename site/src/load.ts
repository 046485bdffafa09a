/** Reading published files: what can go wrong is one sentence, with what to do about it. */

/** Something a reader can be told: what is wrong, and what helps. */
export class Problem extends Error {
  constructor(
    message: string,
    readonly remedy: string,
  ) {
    super(message);
  }
}

/** No such file: a branch without history, or a series without this metric. */
export class Missing extends Problem {}

/** A file under `data/` as JSON of schema `version`. Throws a Problem. */
export async function loadJson(path: string, version: number): Promise<unknown> {
  const address = new URL(`data/${path}`, document.baseURI);
  let response: Response;
  try {
    // a new point must show on the next visit: ask whether the stored copy is still true
    response = await fetch(address, { cache: "no-cache" });
  } catch {
    throw new Problem(`data/${path} could not be fetched.`, "Check the connection and reload.");
  }
  if (response.status === 404) {
    throw new Missing(
      `There is no data/${path} here.`,
      "Publish a run first: the benchmark workflow does so on each push, springbench publish by hand.",
    );
  }
  if (!response.ok) {
    throw new Problem(
      `data/${path} answered with status ${response.status}.`,
      "Reload in a minute; if it stays, look at the host of this page.",
    );
  }
  return checked(await parse(response, path), path, version);
}

async function parse(response: Response, path: string): Promise<unknown> {
  try {
    return await response.json();
  } catch {
    throw new Problem(
      `data/${path} is not JSON.`,
      "It may have been cut off. springbench publish --history FOLDER --rebuild makes the derived files anew.",
    );
  }
}

/** The document itself if its schema is one that this page reads. Throws a Problem. */
export function checked(document: unknown, path: string, version: number): unknown {
  const found =
    typeof document === "object" && document !== null && "schema" in document
      ? document.schema
      : undefined;
  if (found === version) return document;
  if (typeof found === "number" && found > version) {
    throw new Problem(
      `data/${path} has schema ${found}; this page reads schema ${version}.`,
      "Reload to get a newer page. If that does not help, run the workflow `pages` to deploy one.",
    );
  }
  throw new Problem(
    `data/${path} is not of schema ${version}.`,
    "springbench publish --history FOLDER --rebuild makes the derived files anew.",
  );
}
