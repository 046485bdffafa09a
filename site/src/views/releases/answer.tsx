/** What became better and worse over these releases, and under which load. */

import { useState } from "preact/hooks";
import { useApp, useWords } from "../../app/context";
import type { Chain, Fact, Finding } from "../../data/chain";
import { inOrder } from "../../data/releases";
import { known } from "../../parts/marks";
import { variantName } from "../../parts/names";
import { change, metricName, oneLine, quantity, unbroken } from "../../words/format";
import { changesOf, type FoundChange } from "./changes";
import { releaseWords } from "./words";

/** So many changes stand in a list before a click, so many metrics with each. */
const MOST_CHANGES = 3;
const MOST_METRICS = 2;

export function Answer({ chains }: { readonly chains: readonly Chain[] }) {
  const text = useWords(releaseWords);
  const versions = chains.flatMap((chain) => chain.versions).toSorted(inOrder);
  const [first, last] = [versions[0], versions.at(-1)];
  if (first === undefined || last === undefined) {
    return <p class="answer">{text("answer.unpaired")}</p>;
  }
  const changes = changesOf(chains);
  const ends = { first: oneLine(first), last: oneLine(last) };
  const selectChanges = (confirmed: boolean, worse: boolean) =>
    changes.filter(
      (foundChange) => foundChange.confirmed === confirmed && foundChange.worse === worse,
    );
  const sure = changes.some(({ confirmed }) => confirmed);
  const found = sure ? "answer.span" : "answer.unconfirmed";
  return (
    <>
      <p class="answer">{text(changes.length === 0 ? "answer.none" : found, ends)}</p>
      <Changes kind="answer.confirmed.worse" changes={selectChanges(true, true)} />
      <Changes kind="answer.confirmed.better" changes={selectChanges(true, false)} />
      <Changes kind="answer.suspected.worse" changes={selectChanges(false, true)} />
      <Changes kind="answer.suspected.better" changes={selectChanges(false, false)} />
    </>
  );
}

interface ChangesProps {
  readonly kind: `answer.${"confirmed" | "suspected"}.${"worse" | "better"}`;
  readonly changes: readonly FoundChange[];
}

function Changes({ kind, changes }: ChangesProps) {
  const text = useWords(releaseWords);
  const [all, setAll] = useState(false);
  const shown = all ? changes : changes.slice(0, MOST_CHANGES);
  const left = changes.length - shown.length;
  if (changes.length === 0) return null;
  return (
    <>
      <h2>{text(kind)}</h2>
      <ul>
        {shown.map((foundChange) => (
          <li key={`${foundChange.case.case} ${foundChange.after}`}>
            <ChangeWords found={foundChange} />
          </li>
        ))}
      </ul>
      {left > 0 && (
        <button type="button" onClick={() => setAll(true)}>
          {text("answer.more", { count: left })}
        </button>
      )}
    </>
  );
}

/** One change; its load leads to its chart, where there is one. */
function ChangeWords({ found }: { readonly found: FoundChange }) {
  const { say, to } = useApp();
  const text = useWords(releaseWords);
  const { case: measuredCase, before, after, facts, findings } = found;
  const sizes = [
    ...facts.map((fact) => factWords(fact, say, text)),
    ...findings.map((finding) => sizeWords(finding, say, text)),
  ];
  const { workload, connections } = measuredCase;
  const metric = findings[0]?.metric;
  const load = text("answer.load", {
    load: overProtocol(workload, known("workload", workload, say)),
    connections: quantity(connections, "count"),
    variant: variantName(measuredCase),
  });
  return (
    <>
      {sizes.slice(0, MOST_METRICS).map((size) => (
        <span key={size} class="change">
          {size}
        </span>
      ))}
      {metric ? <a href={to("releases", { workload, connections, metric })}>{load}</a> : load}{" "}
      {text("answer.step", { before: oneLine(before), after: oneLine(after) })}
    </>
  );
}

type ViewText = (key: keyof typeof releaseWords.en, values?: Record<string, string>) => string;
type Say = ReturnType<typeof useApp>["say"];

function sizeWords(
  { metric, ratio, low_ratio, high_ratio }: Finding,
  say: Say,
  text: ViewText,
): string {
  return text("answer.size", {
    metric: metricName(metric, say),
    change: unbroken(change(ratio)),
    low: unbroken(change(low_ratio)),
    high: unbroken(change(high_ratio)),
  });
}

function factWords({ metric, base, head }: Fact, say: Say, text: ViewText): string {
  const what = known("fact", metric, say);
  return text("answer.fact", { what, base: oneLine(base), head: oneLine(head) });
}

/** A workload whose name has no protocol is asked for over the one that every server has. */
function overProtocol(workload: string, words: string): string {
  return /-(https1|h2c|h2)$/.test(workload) ? words : `${words} · HTTP/1.1`;
}
