/** When, on what and how the shown rows were measured, and what speaks against them. */

import { useApp, useWords } from "../../app/context";
import { configurationWords } from "../../data/cases";
import type { LatestRow } from "../../data/latest";
import { Commit } from "../../parts/commit";
import { markWords } from "../../parts/marks";
import { date, oneLine } from "../../words/format";
import { overviewWords } from "./words";

export function MeasurementNote({ rows }: { readonly rows: readonly LatestRow[] }) {
  const { say } = useApp();
  const text = useWords(overviewWords);
  const newest = rows.toSorted((a, b) => a.startedAt.localeCompare(b.startedAt)).at(-1);
  if (newest === undefined) return null;
  const ways = [...new Set(rows.map((row) => configurationWords(row.case.configuration)))];
  const marks = [...new Set(rows.flatMap((row) => row.marks))];
  return (
    <div class="measured">
      <p class="quiet">
        {text(rows.length === 1 ? "measured.one" : "measured", {
          count: rows.length,
          day: date(newest.startedAt),
        })}{" "}
        {newest.sha && <Commit sha={newest.sha} />} {oneLine(ways.join("; "))}
      </p>
      {marks.length > 0 && <p class="mark">{text("care", { marks: markWords(marks, say) })}</p>}
    </div>
  );
}
