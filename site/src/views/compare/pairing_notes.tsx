/** What is left out of a comparison, and why: silence would pass for "no change". */

import { useWords } from "../../app/context";
import { configurationWords } from "../../data/cases";
import { oneLine } from "../../words/format";
import type { Pairing } from "./pairs";
import { compareWords } from "./words";

export function PairingNotes({ pairing }: { readonly pairing: Pairing }) {
  const text = useWords(compareWords);
  const { onlyBase, onlyHead, unlike, otherHosts } = pairing;
  const ways = unlike.map((configuration) => oneLine(configurationWords(configuration))).join("; ");
  const notes = [
    onlyBase > 0 && text("note.only-base", { count: onlyBase }),
    onlyHead > 0 && text("note.only-head", { count: onlyHead }),
    unlike.length > 0 && text("note.unlike", { ways }),
    otherHosts > 0 && text("note.other-hosts", { count: otherHosts }),
  ].filter((note) => note !== false);
  if (notes.length === 0) return null;
  return (
    <ul class="quiet pairing">
      {notes.map((note) => (
        <li key={note}>{note}</li>
      ))}
    </ul>
  );
}
