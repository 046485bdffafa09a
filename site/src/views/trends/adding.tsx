/** How a series comes into the chart: found by typing, or all that the filters leave. */

import { useMemo } from "preact/hooks";
import { useApp, useWords } from "../../app/context";
import { AXES } from "../../data/case_filter";
import { configurationWords } from "../../data/cases";
import type { CaseRow } from "../../data/contract";
import { casesOf } from "../../data/settle";
import { AxisToggles } from "../../parts/axis_toggles";
import { Combobox } from "../../parts/combobox";
import { known } from "../../parts/marks";
import { loadName, variantName } from "../../parts/names";
import { oneLine, quantity } from "../../words/format";
import { nameOf, offered } from "./wish";
import { trendsWords } from "./words";

/** More at once would be a tangle that tells nothing. */
const MOST_ADDED = 24;

export function Adding({ cases }: { readonly cases: readonly CaseRow[] }) {
  const { index, row, query, choose, say } = useApp();
  const text = useWords(trendsWords);
  const filters = AXES.map((axis) => query.getAll(axis).join(",")).join(";");
  const key = cases.map(nameOf).join(" ");
  const found = useMemo(() => offered(index, row, query, cases), [index, row, filters, key]);
  const options = useMemo(
    () =>
      found.map((caseRow, at) => ({
        value: String(at),
        words: caseRow.reported
          ? `${variantName(caseRow)}, ${loadName(caseRow)}`
          : `${variantName(caseRow)}, ${known("workload", caseRow.workload, say)}, ${quantity(caseRow.connections, "count")}`,
        detail: oneLine(`${caseRow.case} ${configurationWords(caseRow.configuration)}`),
      })),
    [found, say],
  );
  const all = useMemo(() => casesOf(index, row), [index, row]);
  const add = (more: readonly CaseRow[]) => choose({ s: [...cases, ...more].map(nameOf) });
  const filtered = AXES.some((axis) => query.has(axis));
  return (
    <div class="adding">
      <Combobox
        label={text("add")}
        options={options}
        chosen=""
        empty={text("add.empty")}
        onChoose={(value) => add(found.filter((_, at) => String(at) === value))}
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
