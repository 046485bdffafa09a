/** Two variants, each as it was measured last on this host class: a ratio per load and metric. */

import { useApp, useWords } from "../../app/context";
import { distinct } from "../../data/cases";
import type { CaseRow, ClassRow, Index } from "../../data/contract";
import { Combobox } from "../../parts/combobox";
import { variantName } from "../../parts/names";
import { Notice } from "../../parts/notice";
import { useRunFiles } from "../../parts/run_files";
import { oneLine } from "../../words/format";
import { byRanking } from "./conclusions";
import { factsOf } from "./facts";
import { PairingNotes } from "./pairing_notes";
import { paired } from "./pairs";
import { Result } from "./result";
import { comparedMetrics, latestSides, rowsOf, variantIn } from "./rows";
import { Message } from "./saying";
import { compareWords } from "./words";

export function Variants() {
  const { index, row, query, choose } = useApp();
  const text = useWords(compareWords);
  const variants = measuredVariants(index, row);
  const [first, second] = variants;
  if (first === undefined || second === undefined) {
    return <Message what={text("need-variants")} remedy={text("need-variants.remedy")} />;
  }
  const a = variants.find(({ id }) => id === query.get("a")) ?? first;
  const b = variants.find(({ id }) => id === query.get("b")) ?? (a === first ? second : first);
  const options = variants.map(({ id, name }) => ({ value: id, words: name, detail: id }));
  const pick = (label: string, chosen: string, onChoose: (id: string) => void) => (
    <Combobox
      label={label}
      options={options}
      chosen={chosen}
      empty={text("pick.no-variant")}
      onChoose={onChoose}
    />
  );
  return (
    <>
      <div class="sides">
        {pick(text("variant.a"), a.id, (id) => choose({ a: id, b: b.id }))}
        <button type="button" onClick={() => choose({ a: b.id, b: a.id })}>
          ⇄ {text("swap")}
        </button>
        {pick(text("variant.b"), b.id, (id) => choose({ a: a.id, b: id }))}
      </div>
      <VariantComparison a={a} b={b} />
    </>
  );
}

interface Variant {
  readonly id: string;
  readonly name: string;
}

function VariantComparison({ a, b }: { readonly a: Variant; readonly b: Variant }) {
  const { index, row, say } = useApp();
  const text = useWords(compareWords);
  const [before, after] = [latestSides(index, row, a.id), latestSides(index, row, b.id)];
  const pairing = paired(
    before,
    after,
    ({ case: caseRow }) => `${caseRow.workload}/${caseRow.connections}`,
  );
  const metrics = comparedMetrics(index);
  const { rankOf, problem } = useRunFiles(pairing.pairs.flat());
  const conclude = byRanking(rankOf);
  const rows = pairing.pairs.flatMap(([one, other]) => rowsOf(one, other, metrics, conclude));
  const facts = pairing.pairs.flatMap(([one, other]) => factsOf(one, other));
  const apart = pairing.pairs.filter(([one, other]) => one.run !== other.run);
  const strangers = apart.flatMap(([one, other]) => rowsOf(one, other, metrics, conclude)).length;
  return (
    <>
      <p>{text("variants.text", { a: a.name, b: b.name })}</p>
      {strangers > 0 && <p class="mark">{text("variants.other-runs", { count: strangers })}</p>}
      {problem !== null && <Notice problem={problem} say={say} />}
      <PairingNotes pairing={pairing} />
      <Result rows={rows} facts={facts} variants names={{ base: a.name, head: b.name }} />
    </>
  );
}

/** The variants that were measured on a host class, in the order of the index. */
function measuredVariants(index: Index, { latest }: ClassRow): readonly Variant[] {
  const cases = latest.row.flatMap((which) => index.cases[which] ?? []);
  const first = new Map<string, CaseRow>();
  for (const caseRow of cases) {
    const id = variantIn(caseRow.case);
    if (!first.has(id)) first.set(id, caseRow);
  }
  return distinct([...first.keys()]).flatMap((id) => {
    const caseRow = first.get(id);
    return caseRow ? [{ id, name: oneLine(`${variantName(caseRow)}, ${caseRow.boot}`) }] : [];
  });
}
