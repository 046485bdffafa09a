/** A comparison that measured both commits side by side: its ratios and its verdicts, as published. */

import { useApp, useWords } from "../../app/context";
import { distinct } from "../../data/cases";
import { runAddress } from "../../data/links";
import type { PublishedComparison } from "../../data/published";
import { OptionWords } from "../../parts/java_options";
import { markWords } from "../../parts/marks";
import { HostWarnings } from "../../parts/notes";
import { moment, oneLine } from "../../words/format";
import { EndLines } from "./end_lines";
import { measuredFacts } from "./facts";
import { Result } from "./result";
import { measuredRows } from "./rows";
import type { Ends } from "./settle";
import { compareWords } from "./words";

interface Props {
  readonly comparisons: readonly PublishedComparison[];
  readonly ends: Ends;
}

export function MeasuredResult({ comparisons, ends }: Props) {
  const { index, choose } = useApp();
  const text = useWords(compareWords);
  const [newest] = comparisons;
  if (newest === undefined) return null;
  return (
    <>
      <EndLines
        base={{ ...newest.base, run: ends.base.run?.id ?? null }}
        head={{ ...newest.head, run: ends.head.run?.id ?? null }}
      />
      <section class="source" aria-labelledby="compare-source">
        <h2 id="compare-source">{text("measured.title")}</h2>
        <p>{text("measured.text")}</p>
        <ul>
          {comparisons.map((comparison) => (
            <li key={comparison.id}>
              <Source comparison={comparison} />
            </li>
          ))}
        </ul>
        <HostWarnings texts={distinct(comparisons.flatMap(({ warnings }) => warnings ?? []))} />
        <button type="button" onClick={() => choose({ from: "runs" })}>
          {text("measured.also-runs")}
        </button>
      </section>
      <Result
        rows={measuredRows(index, comparisons)}
        facts={measuredFacts(index, comparisons)}
        measured
        names={{ base: text("base"), head: text("head") }}
      />
    </>
  );
}

function Source({ comparison }: { readonly comparison: PublishedComparison }) {
  const { repository, say } = useApp();
  const text = useWords(compareWords);
  const { purpose, started_at, profile, java_options = [], host, marks = [], url, id } = comparison;
  const description = text("measured.one", {
    purpose: text(`purpose.${purpose}`),
    day: moment(started_at),
    profile: oneLine(profile),
    host: host.class,
  });
  const address = runAddress(repository, url ?? null);
  return (
    <>
      {address === null ? (
        description
      ) : (
        <a href={address} rel="noreferrer">
          {description}
        </a>
      )}{" "}
      <code class="quiet">{oneLine(id)}</code>
      {java_options.length > 0 && <OptionWords options={java_options} />}
      {marks.length > 0 && <span class="mark"> {markWords(marks, say)}</span>}
    </>
  );
}
