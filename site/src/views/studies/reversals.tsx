/** Orders that come out the other way round here, and what limits each. */

import { useApp, useWords } from "../../app/context";
import type { Pair, Reversal } from "../../data/studies";
import { bottleneckWords, known } from "../../parts/marks";
import { variantName } from "../../parts/names";
import { quantity } from "../../words/format";
import { studyWords } from "./words";

export function Reversals({ reversals }: { readonly reversals: readonly Reversal[] }) {
  if (reversals.length === 0) return null;
  return (
    <ul>
      {reversals.map((reversal, at) => (
        <li key={at}>
          <Sentence reversal={reversal} />
        </li>
      ))}
    </ul>
  );
}

function Sentence({
  reversal: { first, second, publishedRatio, measuredRatio },
}: {
  readonly reversal: Reversal;
}) {
  const { say } = useApp();
  const text = useWords(studyWords);
  const { workload, connections } = first.figure;
  const load = [
    ...(workload === undefined ? [] : [known("workload", workload, say)]),
    ...(connections === undefined ? [] : [quantity(connections, "count")]),
  ].join(", ");
  const names = { first: nameOf(first), second: nameOf(second) };
  const [one, other] = [first, second].map(({ row }) =>
    bottleneckWords(row?.bottleneck ?? null, say),
  );
  return (
    <>
      {text("reversed", {
        load,
        ...names,
        there: publishedRatio.toFixed(2),
        here: measuredRatio.toFixed(2),
      })}{" "}
      {one && other && text("bottlenecks", { ...names, one, other })}
    </>
  );
}

function nameOf({ row }: Pair): string {
  return row === null ? "" : variantName(row.case);
}
