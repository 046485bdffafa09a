/** Axes with a toggle for each value: any number may be on, all of it in the address. */

import "./axis_toggles.css";
import { useApp } from "../app/context";
import { AXES, type Axis, axisChoices } from "../data/case_filter";
import type { Case } from "../data/cases";
import { axisWords } from "./axis_words";

interface Props {
  readonly cases: readonly Case[];
  readonly label: string;
}

export function AxisToggles({ cases, label }: Props) {
  const { say, query, choose } = useApp();
  const count = AXES.reduce((sum, axis) => sum + query.getAll(axis).length, 0);
  const none = Object.fromEntries(AXES.map((axis) => [axis, undefined]));
  return (
    <details class="axes" open={count > 0}>
      <summary>
        {label}
        {count > 0 && ` (${count})`}
      </summary>
      <search>
        {axisChoices(cases).map(({ axis, values }) => (
          <fieldset key={axis}>
            <legend>{say(`axis.${axis}`)}</legend>
            {values.map((value) => (
              <Toggle key={value} axis={axis} value={value} />
            ))}
          </fieldset>
        ))}
        {count > 0 && (
          <button type="button" onClick={() => choose(none)}>
            {say("filter.none")}
          </button>
        )}
      </search>
    </details>
  );
}

function Toggle({ axis, value }: { readonly axis: Axis; readonly value: string }) {
  const { say, query, choose } = useApp();
  const on = query.getAll(axis);
  const pressed = on.includes(value);
  const next = pressed ? on.filter((item) => item !== value) : [...on, value];
  return (
    <button type="button" aria-pressed={pressed} onClick={() => choose({ [axis]: next })}>
      {axisWords(axis, value, say)}
    </button>
  );
}
