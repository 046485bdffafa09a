/** What speaks against a run and against its cases, each with what helps. */

import { useWords } from "../../app/context";
import type { PublishedRun } from "../../data/published";
import { hostWarnings } from "../../data/rankings";
import { HostWarnings } from "../../parts/notes";
import { oneLine } from "../../words/format";
import { warningsOf } from "./case_rows";
import { type RunWord, runWords } from "./words";

export function Marks({ marks }: { readonly marks: readonly string[] }) {
  const text = useWords(runWords);
  if (marks.length === 0) return null;
  return (
    <section class="notice" aria-labelledby="run-marks">
      <h2 id="run-marks">{text("marks.title")}</h2>
      <ul>
        {marks.map((mark) => {
          const key = `mark.${mark}`;
          return (
            <li key={mark}>
              {isWord(key) ? text(key) : text("mark.other", { mark: oneLine(mark) })}{" "}
              {isWord(`${key}.remedy`) && text(`${key}.remedy` as RunWord)}
            </li>
          );
        })}
      </ul>
    </section>
  );
}

export function Warnings({ run }: { readonly run: PublishedRun }) {
  const text = useWords(runWords);
  const rows = warningsOf(run);
  return (
    <section aria-labelledby="run-warnings">
      <h2 id="run-warnings">{text("warnings.title")}</h2>
      <HostWarnings texts={hostWarnings([run])} />
      {rows.length === 0 && <p class="quiet">{text("warnings.none")}</p>}
      <ul class="warnings">
        {rows.map(({ code, cases }) => {
          const key = `warning.${code}`;
          const words = isWord(key) ? key : "warning.other";
          return (
            <li key={code}>
              <strong>{text(words, { code: oneLine(code) })}</strong>{" "}
              {text(`${words}.remedy` as RunWord)}{" "}
              <span class="quiet">
                {text("warnings.count", { count: cases, all: run.cases.length })}
              </span>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

function isWord(key: string): key is RunWord {
  return Object.hasOwn(runWords.en, key);
}
