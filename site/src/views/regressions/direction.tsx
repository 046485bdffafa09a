/** For the worse or for the better, told by a shape as well as by a word. */

import { useWords } from "../../app/context";
import type { Event } from "../../data/contract";
import { regressionWords } from "./words";

export function Direction({ direction }: Pick<Event, "direction">) {
  const text = useWords(regressionWords);
  const worse = direction === "regression";
  return (
    <span class={worse ? "bad" : "good"}>
      <span aria-hidden="true">{worse ? "▼" : "▲"}</span> {text(`direction.${direction}`)}
    </span>
  );
}
