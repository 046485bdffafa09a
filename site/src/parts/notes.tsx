/** What is said of numbers, sentence by sentence, as the run concluded it. */

import "./notes.css";
import { useApp } from "../app/context";
import type { Case } from "../data/cases";
import { grouped } from "../data/group";
import { oneLine, quantity } from "../words/format";
import { variantName } from "./names";

/** A row with what is said of its numbers. */
export interface CaseNotes {
  readonly case: Case;
  readonly notes: readonly string[];
}

export interface NoteRow {
  readonly text: string;
  readonly cases: readonly Case[];
}

/** Each note once, with the cases that it is said of. */
export function notesOf(rows: readonly CaseNotes[]): readonly NoteRow[] {
  const entries = rows.flatMap(({ case: measuredCase, notes }) =>
    notes.map((text) => ({ text, measuredCase })),
  );
  return [...grouped(entries, ({ text }) => text)].map(([text, same]) => ({
    text,
    cases: same.map(({ measuredCase }) => measuredCase),
  }));
}

const MOST_NAMES = 6;

/** Below a table of these rows. */
export function Notes({ rows }: { readonly rows: readonly CaseNotes[] }) {
  const { say } = useApp();
  const notes = notesOf(rows);
  if (notes.length === 0) return null;
  return (
    <details class="notes" open>
      <summary>{say("notes", { count: notes.length })}</summary>
      <ul>
        {notes.map(({ text, cases }) => (
          <li key={text}>
            <strong>{cases.slice(0, MOST_NAMES).map(nameOf).join("; ")}</strong>
            {cases.length > MOST_NAMES && ` +${cases.length - MOST_NAMES}`}:{" "}
            <span lang="en">{oneLine(text)}</span>
          </li>
        ))}
      </ul>
    </details>
  );
}

function nameOf(measuredCase: Case): string {
  if (measuredCase.reported) return variantName(measuredCase);
  return `${variantName(measuredCase)} ${oneLine(measuredCase.boot)} ${quantity(measuredCase.connections, "count")}`;
}

/** What is said of a host and all that was measured on it. */
export function HostWarnings({ texts }: { readonly texts: readonly string[] }) {
  const { say } = useApp();
  if (texts.length === 0) return null;
  return (
    <details class="notes host-warnings" open>
      <summary>{say("host-warnings", { count: texts.length })}</summary>
      <ul>
        {texts.map((text) => (
          <li key={text} lang="en">
            {oneLine(text)}
          </li>
        ))}
      </ul>
    </details>
  );
}
