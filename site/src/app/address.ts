/** Where a reader is: a view and every choice in it, all of it in the address. Pure. */

export interface Place {
  readonly view: string;
  readonly query: URLSearchParams;
}

/** What stands in an address for one choice; none for `undefined`, several for a list. */
export type Choices = Readonly<Record<string, string | number | readonly string[] | undefined>>;

/** The view of an address that names none: which one it is, the history decides. */
export const FRONT = "";

/** The place that `#/view?name=value` names. An address of the page's first form is understood. */
export function readPlace(hash: string): Place {
  const text = hash.replace(/^#/, "");
  if (text.startsWith("/")) {
    const [view = "", query = ""] = text.slice(1).split("?", 2);
    return { view: view || FRONT, query: new URLSearchParams(query) };
  }
  return firstForm(new URLSearchParams(text));
}

/** `#case=…&how=…&metric=…&host=…`, as links of comments and issues have it. */
function firstForm(old: URLSearchParams): Place {
  const named = old.get("case");
  if (!named) return { view: FRONT, query: new URLSearchParams() };
  const how = old.get("how");
  const query = new URLSearchParams({ s: how ? `${named}@${how}` : named });
  for (const key of ["metric", "host"]) {
    const value = old.get(key);
    if (value) query.set(key, value);
  }
  return { view: "trends", query };
}

/** The fragment that leads to a view with these choices. */
export function hashOf(view: string, choices: Choices = {}): string {
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(choices)) {
    if (value === undefined) continue;
    for (const item of typeof value === "object" ? value : [value]) query.append(key, String(item));
  }
  // a case id has slashes, which a fragment may carry as they are
  const text = query.toString().replaceAll("%2F", "/").replaceAll("%40", "@");
  return text ? `#/${view}?${text}` : `#/${view}`;
}

/** Every choice of an address by name, to be changed and told again. */
export function choicesOf(query: URLSearchParams): Record<string, readonly string[]> {
  return Object.fromEntries([...new Set(query.keys())].map((key) => [key, query.getAll(key)]));
}
