/** The cases of a run: narrowed by choices, a table for each workload, and as files. */

import { useApp, useWords } from "../../app/context";
import { fits } from "../../data/case_filter";
import type { PublishedRun } from "../../data/published";
import { CaseFilters, useTyped } from "../../parts/case_filters";
import { Downloads } from "../../parts/downloads";
import { known } from "../../parts/marks";
import { variantName } from "../../parts/names";
import { oneLine, quantity } from "../../words/format";
import { byWorkload, type CaseLine, caseLines, exportedCase, notesOf } from "./case_rows";
import { CaseTable } from "./case_table";
import { runWords } from "./words";

export function Cases({ run }: { readonly run: PublishedRun }) {
  const { asked, say } = useApp();
  const own = useWords(runWords);
  const [typed, setTyped] = useTyped();
  const lines = caseLines(run);
  const shown = lines.filter(({ of }) => fits(of, asked, typed, `${of.status} ${of.bound ?? ""}`));
  return (
    <section aria-labelledby="run-cases">
      <h2 id="run-cases">{own("cases.title")}</h2>
      <CaseFilters cases={run.cases} words={typed} onWords={setTyped} />
      {shown.length === 0 && <div class="blank">{own("cases.none")}</div>}
      {[...byWorkload(shown)].map(([workload, same]) => (
        <section key={workload} class="workload">
          <h3>
            {known("workload", workload, say)} <span class="quiet">{oneLine(workload)}</span>
          </h3>
          <CaseTable lines={same} label={known("workload", workload, say)} />
          <Notes lines={same} />
        </section>
      ))}
      {shown.length > 0 && (
        <Downloads name={run.id} rows={shown.map((line) => exportedCase(run, line))} />
      )}
    </section>
  );
}

const MOST_NAMES = 6;

function Notes({ lines }: { readonly lines: readonly CaseLine[] }) {
  const own = useWords(runWords);
  const notes = notesOf(lines);
  if (notes.length === 0) return null;
  return (
    <details class="notes">
      <summary>{own("notes", { count: notes.length })}</summary>
      <ul>
        {notes.map(({ text, of }) => (
          <li key={text}>
            <strong>{of.slice(0, MOST_NAMES).map(nameOf).join("; ")}</strong>
            {of.length > MOST_NAMES && ` +${of.length - MOST_NAMES}`}: {oneLine(text)}
          </li>
        ))}
      </ul>
    </details>
  );
}

function nameOf(of: CaseLine["of"]): string {
  return `${variantName(of)} ${oneLine(of.boot)} ${quantity(of.connections, "count")}`;
}
