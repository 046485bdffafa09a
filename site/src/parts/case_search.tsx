/** A box that finds any case by typing parts of its name. */

import { useMemo } from "preact/hooks";
import { useApp } from "../app/context";
import { configurationWords } from "../data/cases";
import type { CaseRow } from "../data/contract";
import { oneLine, quantity } from "../words/format";
import { Combobox } from "./combobox";
import { known } from "./marks";
import { loadName, variantName } from "./names";

interface Props {
  readonly label: string;
  readonly empty: string;
  readonly cases: readonly CaseRow[];
  readonly onFound: (found: CaseRow) => void;
}

export function CaseSearch({ label, empty, cases, onFound }: Props) {
  const { say } = useApp();
  const options = useMemo(
    () =>
      cases.map((of, at) => ({
        value: String(at),
        words: of.reported
          ? `${variantName(of)}, ${loadName(of)}`
          : `${variantName(of)}, ${known("workload", of.workload, say)}, ${quantity(of.connections, "count")}`,
        detail: oneLine(`${of.case} ${configurationWords(of.configuration)}`),
      })),
    [cases, say],
  );
  const take = (value: string) => {
    const found = cases[Number(value)];
    if (found !== undefined) onFound(found);
  };
  return <Combobox label={label} options={options} chosen="" empty={empty} onChoose={take} />;
}
