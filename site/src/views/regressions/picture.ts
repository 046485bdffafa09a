/** The published picture of an event. Pure. */

import type { Event } from "../../data/contract";

const ID = /^(regression|improvement)-[0-9a-f]{1,40}(-drift)?$/;

/** Its address; null where none is published, or where the id is no name of a file. */
export function pictureOf({ id, state, direction }: Event): string | null {
  const pictured = state === "confirmed" && direction === "regression";
  return pictured && ID.test(id) ? `data/charts/${id}.svg` : null;
}
