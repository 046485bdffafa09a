/** Which run is one side: the newest first, found by date, subject, author, hash or profile. */

import { useApp, useWords } from "../../app/context";
import type { RunRow } from "../../data/runs";
import { serviceWords } from "../../data/service";
import { Combobox, type ComboOption } from "../../parts/combobox";
import { markWords } from "../../parts/marks";
import { date, oneLine, shortSha, subject } from "../../words/format";
import type { Say } from "../../words/words";
import { isSha, type Named } from "./settle";
import { compareWords } from "./words";

interface Props {
  readonly label: string;
  readonly runs: readonly RunRow[];
  readonly end: Named;
  readonly onChoose: (name: string) => void;
}

const RUN_ID = /^[A-Za-z0-9_][A-Za-z0-9._-]{7,119}$/;

export function RunPicker({ label, runs, end, onChoose }: Props) {
  const { say } = useApp();
  const text = useWords(compareWords);
  const typed = (typedText: string): ComboOption | null =>
    isSha(typedText) || RUN_ID.test(typedText)
      ? { value: typedText, words: typedText, detail: text("pick.typed") }
      : null;
  return (
    <Combobox
      label={label}
      options={runs.map((run) => option(run, say))}
      chosen={end.run?.id ?? end.name}
      fallback={end.run === null ? end.name : runWords(end.run)}
      empty={text("pick.none")}
      typed={typed}
      onChoose={onChoose}
    />
  );
}

function option(run: RunRow, say: Say): ComboOption {
  const marks = markWords(run.marks, say);
  const detail = [
    serviceWords(run.service),
    run.profile,
    run.branch ?? "",
    run.author,
    run.id,
    marks,
  ].filter(Boolean);
  return { value: run.id, words: runWords(run), detail: oneLine(detail.join(" · ")) };
}

function runWords(run: RunRow): string {
  const hash = run.sha === null ? run.id : shortSha(run.sha);
  return oneLine(`${date(run.time)}  ${hash}  ${subject(run.message)}`);
}
