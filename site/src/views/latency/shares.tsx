/** Which share of its own capacity each variant is offered. */

import { useApp, useWords } from "../../app/context";
import { SHARES, type Share } from "../../data/distributions";
import { latencyWords } from "./words";

export function Shares({ chosen }: { readonly chosen: Share }) {
  const { choose } = useApp();
  const own = useWords(latencyWords);
  return (
    <fieldset class="shares">
      <legend class="hidden">{own("rate")}</legend>
      {SHARES.map((share) => (
        <button
          key={share}
          type="button"
          aria-pressed={share === chosen}
          onClick={() => choose({ rate: share === "half" ? undefined : share })}
        >
          {own(`rate.${share}`)}
        </button>
      ))}
    </fieldset>
  );
}
