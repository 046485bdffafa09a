/** Elements from data. Texts go in as text nodes only, so nothing published can become markup. */

import { oneLine } from "./format";

type Child = Node | string;
type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

/** An element with attributes and children; `false` and `undefined` leave an attribute out. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== false) made.setAttribute(key, String(value));
  }
  made.append(...children.map((child) => (typeof child === "string" ? oneLine(child) : child)));
  return made;
}

/** The element of the page with this id. Throws when index.html and the code have parted. */
export function byId(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`index.html has no element with the id '${id}'`);
  return found;
}
