/** Why head is worse: what grew in profiles of both sides. */

import { useApp } from "../app/context";
import type { Event } from "../data/contract";
import { oneLine } from "../words/format";

export function Explanations({ event }: { readonly event: Event }) {
  const { say } = useApp();
  return (
    <>
      {(event.explanations ?? []).map(({ case: id, event: profileEvent, text }) => (
        <p class="quiet" key={`${id} ${profileEvent}`}>
          {say("why", { case: oneLine(id), text: oneLine(text) })}
        </p>
      ))}
    </>
  );
}
