/** In sentences: what became better and worse over these releases, and under which load. */

import { useState } from "preact/hooks";
import { useApp, useWords } from "../../app/context";
import type { Chain, Fact, Finding } from "../../data/chain";
import { inOrder } from "../../data/releases";
import { known } from "../../parts/marks";
import { variantName } from "../../parts/names";
import { change, metricName, oneLine, quantity, unbroken } from "../../words/format";
import { changesOf, type FoundChange } from "./changes";
import { releaseWords } from "./words";

/** So many changes stand in a sentence, so many metrics with each. */
const MOST_CHANGES = 3;
const MOST_METRICS = 2;

export function Answer({ chains }: { readonly chains: readonly Chain[] }) {
  const own = useWords(releaseWords);
  const versions = chains.flatMap((chain) => chain.versions).toSorted(inOrder);
  const [first, last] = [versions[0], versions.at(-1)];
  if (first === undefined || last === undefined) {
    return <p class="answer">{own("answer.unpaired")}</p>;
  }
  const changes = changesOf(chains);
  const ends = { first: oneLine(first), last: oneLine(last) };
  const of = (confirmed: boolean, worse: boolean) =>
    changes.filter((each) => each.confirmed === confirmed && each.worse === worse);
  const sure = changes.some(({ confirmed }) => confirmed);
  return (
    <>
      <p class="answer">
        {changes.length === 0 && own("answer.none", ends)}
        {changes.length > 0 && own(sure ? "answer.span" : "answer.unconfirmed", ends)}
        <Sentence kind="answer.confirmed.worse" changes={of(true, true)} />
        <Sentence kind="answer.confirmed.better" changes={of(true, false)} />
      </p>
      {changes.some(({ confirmed }) => !confirmed) && (
        <p class="answer">
          <Sentence kind="answer.suspected.worse" changes={of(false, true)} />
          <Sentence kind="answer.suspected.better" changes={of(false, false)} />
        </p>
      )}
    </>
  );
}

interface SentenceProps {
  readonly kind: `answer.${"confirmed" | "suspected"}.${"worse" | "better"}`;
  readonly changes: readonly FoundChange[];
}

function Sentence({ kind, changes }: SentenceProps) {
  const own = useWords(releaseWords);
  const [all, setAll] = useState(false);
  const shown = all ? changes : changes.slice(0, MOST_CHANGES);
  const left = changes.length - shown.length;
  if (changes.length === 0) return null;
  return (
    <>
      {" "}
      {own(kind)}{" "}
      {shown.map((each, at) => (
        <span key={`${each.of.case} ${each.after}`}>
          {at > 0 && own("answer.next")}
          <ChangeWords found={each} />
        </span>
      ))}
      {left > 0 && (
        <>
          {own("answer.next")}
          <button type="button" onClick={() => setAll(true)}>
            {own("answer.more", { count: left })}
          </button>
        </>
      )}
      {own("answer.end")}
    </>
  );
}

/** One change; its load leads to its chart, where there is one. */
function ChangeWords({ found }: { readonly found: FoundChange }) {
  const { say, to } = useApp();
  const own = useWords(releaseWords);
  const { of, before, after, facts, findings } = found;
  const sizes = [
    ...facts.map((fact) => factWords(fact, own)),
    ...findings.map((finding) => sizeWords(finding, say, own)),
  ];
  const { workload, connections } = of;
  const metric = findings[0]?.metric;
  const load = own("answer.load", {
    load: overProtocol(workload, known("workload", workload, say)),
    connections: quantity(connections, "count"),
    variant: variantName(of),
  });
  return (
    <>
      {sizes.slice(0, MOST_METRICS).join(own("answer.also"))}
      {own("answer.under")}
      {metric ? <a href={to("releases", { workload, connections, metric })}>{load}</a> : load}{" "}
      {own("answer.step", { before: oneLine(before), after: oneLine(after) })}
    </>
  );
}

type Own = (key: keyof typeof releaseWords.en, values?: Record<string, string>) => string;
type Say = ReturnType<typeof useApp>["say"];

function sizeWords({ metric, ratio, low_ratio, high_ratio }: Finding, say: Say, own: Own): string {
  return own("answer.size", {
    metric: metricName(metric, say),
    change: unbroken(change(ratio)),
    low: unbroken(change(low_ratio)),
    high: unbroken(change(high_ratio)),
  });
}

function factWords({ metric, base, head }: Fact, own: Own): string {
  const what = metric === "errors" || metric === "failed" ? own(`fact.${metric}`) : oneLine(metric);
  return own("answer.fact", { what, base: oneLine(base), head: oneLine(head) });
}

/** A workload whose name has no protocol is asked for over the one that every server has. */
function overProtocol(workload: string, words: string): string {
  return /-(https1|h2c|h2)$/.test(workload) ? words : `${words} · HTTP/1.1`;
}
