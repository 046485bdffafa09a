/** Who keeps the slowest of a hundred requests shortest, as the run ranked it. */

import { useWords } from "../../app/context";
import { type Distribution, latencyAt, type Rate } from "../../data/distributions";
import { type RankOf, rankedRows } from "../../data/rankings";
import { variantName } from "../../parts/names";
import { quantity } from "../../words/format";
import { latencyWords } from "./words";

/** Of a hundred requests one may take longer. */
const PERCENT = 99;

interface Props {
  readonly shown: readonly Distribution[];
  readonly rate: Rate;
  readonly rankOf: RankOf;
}

export function Answer({ shown, rate, rankOf }: Props) {
  const text = useWords(latencyWords);
  const metric = `open_loop_${rate}_latency_p99_s`;
  const ranked = rankedRows(
    shown.map(({ row }) => row),
    rankOf,
    metric,
  );
  const measured = shown.flatMap((distribution) => {
    const value = latencyAt(distribution, PERCENT);
    return value === null ? [] : [{ row: distribution.row, value }];
  });
  const inOrder =
    ranked.length > 1
      ? ranked.flatMap(({ row }) => measured.find((entry) => entry.row === row) ?? [])
      : measured.toSorted((a, b) => a.value.median - b.value.median);
  const [best, worst] = [inOrder[0], inOrder.at(-1)];
  if (best === undefined || worst === undefined || best === worst) return null;
  const values = {
    best: variantName(best.row.case),
    least: quantity(best.value.median, "s"),
    worst: variantName(worst.row.case),
    most: quantity(worst.value.median, "s"),
  };
  const last = ranked.at(-1)?.rank;
  const key =
    last === undefined || ranked.length < 2
      ? "answer.unranked"
      : last.first > 1
        ? "answer"
        : "answer.same";
  return <p class="answer">{text(key, values)}</p>;
}
