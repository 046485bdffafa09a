/** What is said of numbers, sentence by sentence, as the run concluded it. */

import "./notes.css";
import { useApp } from "../app/context";
import type { Case } from "../data/cases";
import { grouped } from "../data/group";
import { oneLine, quantity } from "../words/format";
import { variantName } from "./names";

/** A row with what is said of its numbers. */
export interface Noted {
  readonly of: Case;
  readonly notes: readonly string[];
}

export interface NoteRow {
  readonly text: string;
  readonly of: readonly Case[];
}

/** Each note once, with the cases that it is said of. */
export function notesOf(rows: readonly Noted[]): readonly NoteRow[] {
  const said = rows.flatMap(({ of, notes }) => notes.map((text) => ({ text, of })));
  return [...grouped(said, ({ text }) => text)].map(([text, same]) => ({
    text,
    of: same.map(({ of }) => of),
  }));
}

const MOST_NAMES = 6;

/** Below a table of these rows. */
export function Notes({ rows }: { readonly rows: readonly Noted[] }) {
  const { say } = useApp();
  const notes = notesOf(rows);
  if (notes.length === 0) return null;
  return (
    <details class="notes" open>
      <summary>{say("notes", { count: notes.length })}</summary>
      <ul>
        {notes.map(({ text, of }) => (
          <li key={text}>
            <strong>{of.slice(0, MOST_NAMES).map(nameOf).join("; ")}</strong>
            {of.length > MOST_NAMES && ` +${of.length - MOST_NAMES}`}:{" "}
            <span lang="en">{oneLine(text)}</span>
          </li>
        ))}
      </ul>
    </details>
  );
}

function nameOf(of: Case): string {
  if (of.reported) return variantName(of);
  return `${variantName(of)} ${oneLine(of.boot)} ${quantity(of.connections, "count")}`;
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
