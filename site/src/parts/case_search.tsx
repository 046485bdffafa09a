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
      cases.map((caseRow, at) => ({
        value: String(at),
        words: caseRow.reported
          ? `${variantName(caseRow)}, ${loadName(caseRow)}`
          : `${variantName(caseRow)}, ${known("workload", caseRow.workload, say)}, ${quantity(caseRow.connections, "count")}`,
        detail: oneLine(`${caseRow.case} ${configurationWords(caseRow.configuration)}`),
      })),
    [cases, say],
  );
  const take = (value: string) => {
    const found = cases[Number(value)];
    if (found !== undefined) onFound(found);
  };
  return <Combobox label={label} options={options} chosen="" empty={empty} onChoose={take} />;
}
