/** Who keeps the slowest of a hundred requests shortest, and whether that can be told. */

import { useWords } from "../../app/context";
import { type Distribution, latencyAt } from "../../data/distributions";
import { variantName } from "../../parts/names";
import { quantity } from "../../words/format";
import { latencyWords } from "./words";

/** Of a hundred requests one may take longer. */
const PERCENT = 99;

export function Answer({ shown }: { readonly shown: readonly Distribution[] }) {
  const own = useWords(latencyWords);
  const told = shown
    .flatMap((each) => {
      const value = latencyAt(each, PERCENT);
      return value === null ? [] : [{ each, value }];
    })
    .toSorted((a, b) => a.value.median - b.value.median);
  const [best, worst] = [told[0], told.at(-1)];
  if (best === undefined || worst === undefined || best === worst) return null;
  const values = {
    best: variantName(best.each.row.case),
    least: quantity(best.value.median, "s"),
    worst: variantName(worst.each.row.case),
    most: quantity(worst.value.median, "s"),
  };
  const apart = best.value.high < worst.value.low;
  return <p class="answer">{own(apart ? "answer" : "answer.same", values)}</p>;
}
