/** Files that stand inside the page: a report page is whole, and opens from a disk. */

/** The element that holds them; `springbench` puts them in its place. */
export const HOLDER = "springbench-data";

/** Texts by their path below `data/`; null where the page reads files beside it. */
export type Embedded = ReadonlyMap<string, string> | null;

/** What such an element says. Throws a SyntaxError on what is no JSON. */
export function filesIn(text: string | null | undefined): Embedded {
  if (!text) return null;
  const found: unknown = JSON.parse(text);
  if (typeof found !== "object" || found === null) return null;
  return new Map(Object.entries(found).map(([path, file]) => [path, JSON.stringify(file)]));
}

let read: Embedded | undefined;

/** Those of this page, read once. */
export function embedded(): Embedded {
  if (read === undefined) read = filesIn(document.getElementById(HOLDER)?.textContent);
  return read;
}

/** A file of this page as an address to save it from; null where the page reads files beside it. */
export function fileInside(path: string): string | null {
  const text = embedded()?.get(path);
  return text === undefined
    ? null
    : `data:application/json;charset=utf-8,${encodeURIComponent(text)}`;
}

/** Where such a page begins; an address of this page, or nothing. */
export function startIn(files: Embedded): string {
  const text = files?.get("start");
  const address: unknown = text === undefined ? "" : JSON.parse(text);
  return typeof address === "string" && address.startsWith("#/") ? address : "";
}
