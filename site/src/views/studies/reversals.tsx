/** Orders that come out the other way round here, and what limits each. */

import { useApp, useWords } from "../../app/context";
import type { Pair, Reversal } from "../../data/studies";
import { bottleneckWords, known } from "../../parts/marks";
import { variantName } from "../../parts/names";
import { quantity } from "../../words/format";
import { studyWords } from "./words";

export function Reversals({ found }: { readonly found: readonly Reversal[] }) {
  if (found.length === 0) return null;
  return (
    <ul>
      {found.map((each, at) => (
        <li key={at}>
          <Sentence of={each} />
        </li>
      ))}
    </ul>
  );
}

function Sentence({ of: { first, second, there, here } }: { readonly of: Reversal }) {
  const { say } = useApp();
  const own = useWords(studyWords);
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
      {own("reversed", { load, ...names, there: there.toFixed(2), here: here.toFixed(2) })}{" "}
      {one && other && own("bottlenecks", { ...names, one, other })}
    </>
  );
}

function nameOf({ row }: Pair): string {
  return row === null ? "" : variantName(row.case);
}
