/** The state of an event as a pill: its shape tells it as well as its colour does. */

import "./event_state.css";
import { useApp } from "../app/context";
import type { Event } from "../data/contract";
import { known } from "./marks";

const SHAPES: Readonly<Record<string, string>> = {
  confirmed: "●",
  suspected: "◌",
  unmeasured: "–",
  acknowledged: "◆",
  fixed: "✓",
  rejected: "✕",
};

export function EventState({ event: { state, direction } }: { readonly event: Event }) {
  const { say } = useApp();
  const bad = state === "confirmed" && direction === "regression";
  const shape = Object.hasOwn(SHAPES, state) ? SHAPES[state] : "";
  return (
    <span class={bad ? "state confirmed" : "state"}>
      <span aria-hidden="true">{shape}</span> {known("state", state, say)}
    </span>
  );
}
