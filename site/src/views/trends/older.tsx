/** Runs before those that are loaded: a step further back, or all of them. */

import { useApp, useWords } from "../../app/context";
import { newestMonths } from "../../data/series";
import { quantity } from "../../words/format";
import { trendsWords } from "./words";

/** `wanted` is how many runs are asked for now. */
export function Older({ wanted }: { readonly wanted: number }) {
  const { row, choose } = useApp();
  const own = useWords(trendsWords);
  const loaded = newestMonths(row, wanted).length;
  const left = row.months.slice(0, row.months.length - loaded);
  if (left.length === 0) return null;
  const all = row.months.reduce((sum, { runs }) => sum + runs, 0);
  const here = all - left.reduce((sum, { runs }) => sum + runs, 0);
  // as many again: a long history is read in few steps
  const next = Math.min(all, here * 2);
  const show = (runs: number) => choose({ runs, from: undefined });
  return (
    <p class="downloads">
      {next < all && (
        <button type="button" onClick={() => show(next)}>
          {own("older", { count: quantity(next - here, "count") })}
        </button>
      )}
      <button type="button" onClick={() => show(all)}>
        {own("older.all", { count: quantity(all, "count") })}
      </button>
    </p>
  );
}
