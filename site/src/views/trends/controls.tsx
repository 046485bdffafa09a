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
  const own = useWords(trendsWords);
  const axes = AXES.filter((axis) => new Set(cases.map((of) => of[axis])).size > 1);
  const relatives = cases.map(
    (of, at) => [nameOf(of), own("relative.series", { name: names[at] ?? "" })] as const,
  );
  return (
    <div class="filters controls">
      <Choice
        label={own("metric")}
        value={wish.metric}
        options={metrics.map(({ name }) => [name, metricName(name, say)] as const)}
        onChoose={(metric) => choose({ metric })}
      />
      <Choice
        label={own("relative")}
        value={wish.relative ?? ""}
        options={[
          ["", own("relative.absolute")],
          ["first", own("relative.first")],
          ...(cases.length > 1 ? relatives : []),
        ]}
        onChoose={(relative) => choose({ relative: relative || undefined })}
      />
      {axes.length > 0 && (
        <Choice
          label={own("by")}
          value={wish.by ?? ""}
          options={[["", own("by.none")], ...axes.map((axis) => [axis, byWords(axis)] as const)]}
          onChoose={(by) => choose({ by: by || undefined })}
        />
      )}
      <button
        type="button"
        aria-pressed={wish.log}
        onClick={() => choose({ scale: wish.log ? undefined : "log" })}
      >
        {own("log")}
      </button>
      <button
        type="button"
        aria-pressed={wish.zero && !wish.log}
        disabled={wish.log}
        onClick={() => choose({ zero: wish.zero ? undefined : "1" })}
      >
        {own("zero")}
      </button>
    </div>
  );

  function byWords(axis: Axis): string {
    return own("by.axis", { axis: say(`axis.${axis}`) });
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
        {options.map(([each, words]) => (
          <option key={each} value={each}>
            {words}
          </option>
        ))}
      </select>
    </label>
  );
}
