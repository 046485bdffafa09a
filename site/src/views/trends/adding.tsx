/** How a series comes into the chart: found by typing, or all that the filters leave. */

import { useMemo } from "preact/hooks";
import { useApp, useWords } from "../../app/context";
import { AXES } from "../../data/case_filter";
import type { CaseRow } from "../../data/contract";
import { casesOf } from "../../data/settle";
import { AxisToggles } from "../../parts/axis_toggles";
import { CaseSearch } from "../../parts/case_search";
import { nameOf, offered } from "./wish";
import { trendsWords } from "./words";

/** More at once would be a tangle that tells nothing. */
const MOST_ADDED = 24;

export function Adding({ cases }: { readonly cases: readonly CaseRow[] }) {
  const { index, row, query, choose } = useApp();
  const text = useWords(trendsWords);
  const filters = AXES.map((axis) => query.getAll(axis).join(",")).join(";");
  const key = cases.map(nameOf).join(" ");
  const found = useMemo(() => offered(index, row, query, cases), [index, row, filters, key]);
  const all = useMemo(() => casesOf(index, row), [index, row]);
  const add = (more: readonly CaseRow[]) => choose({ s: [...cases, ...more].map(nameOf) });
  const filtered = AXES.some((axis) => query.has(axis));
  return (
    <div class="adding">
      <CaseSearch
        label={text("add")}
        empty={text("add.empty")}
        cases={found}
        onFound={(caseRow) => add([caseRow])}
      />
      {filtered && found.length > 0 && found.length <= MOST_ADDED && (
        <button type="button" onClick={() => add(found)}>
          {text("add.all", { count: found.length })}
        </button>
      )}
      <AxisToggles cases={all} label={text("filters")} />
    </div>
  );
}
