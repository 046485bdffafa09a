/** Runs before those that are loaded: a step further back, or all of them. */

import { useApp, useWords } from "../../app/context";
import { newestMonths } from "../../data/series";
import { quantity } from "../../words/format";
import { trendsWords } from "./words";

/** `runCount` is how many runs are asked for now. */
export function Older({ runCount }: { readonly runCount: number }) {
  const { row, choose } = useApp();
  const text = useWords(trendsWords);
  const loaded = newestMonths(row, runCount).length;
  const left = row.months.slice(0, row.months.length - loaded);
  if (left.length === 0) return null;
  const all = row.months.reduce((sum, { runs }) => sum + runs, 0);
  const loadedRuns = all - left.reduce((sum, { runs }) => sum + runs, 0);
  // as many again: a long history is read in few steps
  const next = Math.min(all, loadedRuns * 2);
  const show = (runs: number) => choose({ runs, from: undefined });
  return (
    <p class="downloads">
      {next < all && (
        <button type="button" onClick={() => show(next)}>
          {text("older", { count: quantity(next - loadedRuns, "count") })}
        </button>
      )}
      <button type="button" onClick={() => show(all)}>
        {text("older.all", { count: quantity(all, "count") })}
      </button>
    </p>
  );
}
