/** From which release on changes are added up. */

import { useApp, useWords } from "../../app/context";
import type { Chain } from "../../data/chain";
import { inOrder } from "../../data/releases";
import { oneLine } from "../../words/format";
import { releaseWords } from "./words";

/** What an address calls it. */
export const SINCE = "since";

export function BasePicker({ chains }: { readonly chains: readonly Chain[] }) {
  const { query, choose } = useApp();
  const text = useWords(releaseWords);
  const versions = [...new Set(chains.flatMap((chain) => chain.versions))].toSorted(inOrder);
  const chosen = versions.indexOf(query.get(SINCE) ?? "");
  return (
    <label>
      {text("since")}
      <select
        id="since"
        value={String(chosen)}
        onChange={({ currentTarget: { value } }) => choose({ [SINCE]: versions[Number(value)] })}
      >
        <option value="-1">{text("since.first")}</option>
        {versions.map((version, at) => (
          <option key={version} value={String(at)}>
            {oneLine(version)}
          </option>
        ))}
      </select>
    </label>
  );
}
