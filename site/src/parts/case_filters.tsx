/** Choices that narrow a list of cases: one for each axis, and a box to type parts of names into. */

import { useEffect, useState } from "preact/hooks";
import { useApp } from "../app/context";
import { axisChoices } from "../data/case_filter";
import type { Case } from "../data/cases";
import { axisWords } from "./axis_words";

/** One choice more, beside the axes. */
export interface Choice {
  readonly name: string;
  readonly label: string;
  readonly values: readonly { readonly value: string; readonly words: string }[];
}

interface Props {
  readonly cases: readonly Case[];
  readonly words: string;
  readonly onWords: (words: string) => void;
  readonly also?: readonly Choice[];
}

export function CaseFilters({ cases, words, onWords, also = [] }: Props) {
  const { say, choose } = useApp();
  const axes = axisChoices(cases).map(({ axis, values }) => ({
    name: axis,
    label: say(`axis.${axis}`),
    values: values.map((value) => ({ value, words: axisWords(axis, value, say) })),
  }));
  return (
    <search class="filters">
      {[...axes, ...also].map((choice) => (
        <Select key={choice.name} choice={choice} />
      ))}
      <label>
        {say("filter.words")}
        <input
          type="search"
          value={words}
          placeholder={say("filter.hint")}
          onInput={({ currentTarget: { value } }) => onWords(value)}
          onChange={({ currentTarget: { value } }) => choose({ q: value || undefined })}
        />
      </label>
    </search>
  );
}

function Select({ choice }: { readonly choice: Choice }) {
  const { say, query, choose } = useApp();
  return (
    <label>
      {choice.label}
      <select
        value={query.get(choice.name) ?? ""}
        onChange={({ currentTarget: { value } }) => choose({ [choice.name]: value || undefined })}
      >
        <option value="">{say("filter.all")}</option>
        {choice.values.map(({ value, words }) => (
          <option key={value} value={value}>
            {words}
          </option>
        ))}
      </select>
    </label>
  );
}

/** The words that are typed: seen at once, and in the address when they are done. */
export function useTyped(): readonly [string, (words: string) => void] {
  const { query } = useApp();
  const words = query.get("q") ?? "";
  const [typed, setTyped] = useState(words);
  useEffect(() => setTyped(words), [words]);
  return [typed, setTyped];
}
