/** The series in the chart: their looks, their names, and how each is taken out. */

import { useApp, useWords } from "../../app/context";
import { lookOf } from "../../charts/looks";
import { configurationWords } from "../../data/cases";
import type { CaseRow } from "../../data/contract";
import { oneLine } from "../../words/format";
import { nameOf } from "./wish";
import { trendsWords } from "./words";

interface Props {
  readonly cases: readonly CaseRow[];
  readonly names: readonly string[];
}

export function Chips({ cases, names }: Props) {
  const { choose } = useApp();
  const text = useWords(trendsWords);
  const remove = (removedCase: CaseRow) =>
    choose({ s: cases.filter((caseRow) => caseRow !== removedCase).map(nameOf), point: undefined });
  return (
    <ul class="chips" aria-label={text("series")}>
      {cases.map((caseRow, at) => (
        <li
          key={nameOf(caseRow)}
          title={oneLine(`${caseRow.case}, ${configurationWords(caseRow.configuration)}`)}
        >
          <Sample number={at + 1} /> <span class="number">{at + 1}</span> {names[at]}
          {cases.length > 1 && (
            <button
              type="button"
              aria-label={text("remove", { name: names[at] ?? "" })}
              onClick={() => remove(caseRow)}
            >
              ×
            </button>
          )}
        </li>
      ))}
    </ul>
  );
}

/** A piece of the line as the chart draws it. */
export function Sample({ number }: { readonly number: number }) {
  const { colour, dash } = lookOf(number);
  return (
    <svg class={`sample series-${colour + 1}`} width="26" height="10" aria-hidden="true">
      <line
        x1="0"
        x2="26"
        y1="5"
        y2="5"
        stroke="currentColor"
        stroke-width="2.5"
        stroke-dasharray={dash === "solid" ? undefined : dash.join(" ")}
      />
    </svg>
  );
}
