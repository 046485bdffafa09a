/** In a sentence: whether anything changed over these releases. */

import { useApp, useWords } from "../../app/context";
import { type ReleaseSeries, versionsOf } from "../../data/releases";
import { oneLine } from "../../words/format";
import { type Step, stepsOf } from "./found";
import { releaseWords } from "./words";

export function Answer({ series }: { readonly series: readonly ReleaseSeries[] }) {
  const { index } = useApp();
  const own = useWords(releaseWords);
  const versions = versionsOf(series);
  const [first, last] = [versions[0], versions.at(-1)];
  if (first === undefined || last === undefined) return null;
  const steps = stepsOf(index.events ?? [], series);
  const sure = steps.filter(({ event }) => event.state !== "suspected");
  const ends = { first: oneLine(first), last: oneLine(last) };
  const listed = (some: readonly Step[]) =>
    some
      .map(({ before, after }) =>
        own("between", { before: oneLine(before), after: oneLine(after) }),
      )
      .join(", ");
  if (sure.length > 0)
    return <p class="answer">{own("answer.steps", { ...ends, names: listed(sure) })}</p>;
  if (steps.length > 0)
    return <p class="answer">{own("answer.open", { ...ends, names: listed(steps) })}</p>;
  return <p class="answer">{own("answer.none", ends)}</p>;
}
