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
  const own = useWords(compareWords);
  const [newest] = comparisons;
  if (newest === undefined) return null;
  return (
    <>
      <EndLines
        base={{ ...newest.base, run: ends.base.run?.id ?? null }}
        head={{ ...newest.head, run: ends.head.run?.id ?? null }}
      />
      <section class="source" aria-labelledby="compare-source">
        <h2 id="compare-source">{own("measured.title")}</h2>
        <p>{own("measured.text")}</p>
        <ul>
          {comparisons.map((each) => (
            <li key={each.id}>
              <Source comparison={each} />
            </li>
          ))}
        </ul>
        <HostWarnings texts={distinct(comparisons.flatMap(({ warnings }) => warnings ?? []))} />
        <button type="button" onClick={() => choose({ from: "runs" })}>
          {own("measured.also-runs")}
        </button>
      </section>
      <Result
        rows={measuredRows(index, comparisons)}
        facts={measuredFacts(index, comparisons)}
        measured
        names={{ base: own("base"), head: own("head") }}
      />
    </>
  );
}

function Source({ comparison }: { readonly comparison: PublishedComparison }) {
  const { repository, say } = useApp();
  const own = useWords(compareWords);
  const { purpose, started_at, profile, java_options = [], host, marks = [], url, id } = comparison;
  const text = own("measured.one", {
    purpose: own(`purpose.${purpose}`),
    day: moment(started_at),
    profile: oneLine(profile),
    host: host.class,
  });
  const address = runAddress(repository, url ?? null);
  return (
    <>
      {address === null ? (
        text
      ) : (
        <a href={address} rel="noreferrer">
          {text}
        </a>
      )}{" "}
      <code class="quiet">{oneLine(id)}</code>
      {java_options.length > 0 && <OptionWords options={java_options} />}
      {marks.length > 0 && <span class="mark"> {markWords(marks, say)}</span>}
    </>
  );
}
