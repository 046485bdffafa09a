/** What differs and is no ratio: failures, errors, sizes, what limits a throughput. */

import { useApp, useWords } from "../../app/context";
import { known } from "../../parts/marks";
import { variantName } from "../../parts/names";
import { TableHead } from "../../parts/table_head";
import { oneLine, quantity } from "../../words/format";
import type { Fact } from "./facts";
import type { Names } from "./result";
import { factVerdictWords, Verdict } from "./verdict";
import { compareWords } from "./words";

interface Props {
  readonly facts: readonly Fact[];
  readonly names: Names;
}

export function FactTable({ facts, names }: Props) {
  const text = useWords(compareWords);
  if (facts.length === 0) return null;
  const notes = facts.some(({ note }) => note !== null);
  return (
    <section>
      <h2 id="compare-facts">{text("facts.title")}</h2>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard */}
      <section class="scroll tall" tabIndex={0} aria-labelledby="compare-facts">
        <table class="facts">
          <TableHead
            heads={[
              { words: text("col.case") },
              { words: text("facts.what"), kind: "text" },
              { words: names.base, kind: "text" },
              { words: names.head, kind: "text" },
              { words: text("col.verdict"), kind: "text" },
              ...(notes ? [{ words: text("col.note"), kind: "text" as const }] : []),
            ]}
          />
          <tbody>
            {facts.map((fact) => (
              <FactLine key={`${fact.case.case} ${fact.what}`} fact={fact} notes={notes} />
            ))}
          </tbody>
        </table>
      </section>
    </section>
  );
}

function FactLine({ fact, notes }: { readonly fact: Fact; readonly notes: boolean }) {
  const { say } = useApp();
  const text = useWords(compareWords);
  const { case: caseRow, what, verdict } = fact;
  const load = caseRow.workload
    ? `${caseRow.workload}, ${quantity(caseRow.connections, "count")}`
    : "";
  const value = (name: string) =>
    what === "status" || what === "bottleneck" ? known(what, name, say) : oneLine(name);
  return (
    <tr>
      <th scope="row">
        {variantName(caseRow)}{" "}
        <span class="quiet">
          {oneLine(caseRow.boot)} {oneLine(load)}
        </span>
      </th>
      <td class="text">{known("fact", what, say)}</td>
      <td class="text">{value(fact.base)}</td>
      <td class="text">{value(fact.head)}</td>
      <td class="text">
        <Verdict verdict={verdict} why={null} words={factVerdictWords(verdict, text)} />
      </td>
      {notes && <td class="text">{oneLine(fact.note ?? "")}</td>}
    </tr>
  );
}
