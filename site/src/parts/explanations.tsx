/** Why head is worse: what grew in profiles of both sides. */

import { useApp } from "../app/context";
import type { Event } from "../data/contract";
import { oneLine } from "../words/format";

export function Explanations({ of }: { readonly of: Event }) {
  const { say } = useApp();
  return (
    <>
      {(of.explanations ?? []).map(({ case: id, event, text }) => (
        <p class="quiet" key={`${id} ${event}`}>
          {say("why", { case: oneLine(id), text: oneLine(text) })}
        </p>
      ))}
    </>
  );
}
