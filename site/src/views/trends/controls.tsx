/** What of the series is drawn, and how. */

import { useApp, useWords } from "../../app/context";
import { AXES, type Axis } from "../../data/case_filter";
import type { CaseRow, Index } from "../../data/contract";
import { metricName } from "../../words/format";
import { nameOf, type Wish } from "./wish";
import { trendsWords } from "./words";

interface Props {
  readonly wish: Wish;
  /** Those that there is something to draw of. */
  readonly metrics: readonly Index["metrics"][number][];
  readonly cases: readonly CaseRow[];
  readonly names: readonly string[];
}

export function Controls({ wish, metrics, cases, names }: Props) {
  const { say, choose } = useApp();
  const text = useWords(trendsWords);
  const axes = AXES.filter((axis) => new Set(cases.map((caseRow) => caseRow[axis])).size > 1);
  const relatives = cases.map(
    (caseRow, at) => [nameOf(caseRow), text("relative.series", { name: names[at] ?? "" })] as const,
  );
  return (
    <div class="filters controls">
      <Choice
        label={text("metric")}
        value={wish.metric}
        options={metrics.map(({ name }) => [name, metricName(name, say)] as const)}
        onChoose={(metric) => choose({ metric })}
      />
      <Choice
        label={text("relative")}
        value={wish.relative ?? ""}
        options={[
          ["", text("relative.absolute")],
          ["first", text("relative.first")],
          ...(cases.length > 1 ? relatives : []),
        ]}
        onChoose={(relative) => choose({ relative: relative || undefined })}
      />
      {axes.length > 0 && (
        <Choice
          label={text("by")}
          value={wish.by ?? ""}
          options={[["", text("by.none")], ...axes.map((axis) => [axis, byWords(axis)] as const)]}
          onChoose={(by) => choose({ by: by || undefined })}
        />
      )}
      <button
        type="button"
        aria-pressed={wish.log}
        onClick={() => choose({ scale: wish.log ? undefined : "log" })}
      >
        {text("log")}
      </button>
      <button
        type="button"
        aria-pressed={wish.zero && !wish.log}
        disabled={wish.log}
        onClick={() => choose({ zero: wish.zero ? undefined : "1" })}
      >
        {text("zero")}
      </button>
    </div>
  );

  function byWords(axis: Axis): string {
    return text("by.axis", { axis: say(`axis.${axis}`) });
  }
}

interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly options: readonly (readonly [value: string, words: string])[];
  readonly onChoose: (value: string) => void;
}

function Choice({ label, value, options, onChoose }: ChoiceProps) {
  return (
    <label>
      {label}
      <select value={value} onChange={({ currentTarget }) => onChoose(currentTarget.value)}>
        {options.map(([option, words]) => (
          <option key={option} value={option}>
            {words}
          </option>
        ))}
      </select>
    </label>
  );
}
