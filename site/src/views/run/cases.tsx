/** The cases of a run: narrowed by choices, a table for each workload, and as files. */

import { useApp, useWords } from "../../app/context";
import { fits } from "../../data/case_filter";
import type { PublishedRun } from "../../data/published";
import { CaseFilters, useTyped } from "../../parts/case_filters";
import { Downloads } from "../../parts/downloads";
import { known } from "../../parts/marks";
import { variantName } from "../../parts/names";
import { Notes } from "../../parts/notes";
import { oneLine, quantity } from "../../words/format";
import { byWorkload, type CaseLine, caseLines, exportedCase, rankingsOf } from "./case_rows";
import { CaseTable } from "./case_table";
import { runWords } from "./words";

export function Cases({ run }: { readonly run: PublishedRun }) {
  const { query, say } = useApp();
  const text = useWords(runWords);
  const [typed, setTyped] = useTyped();
  const lines = caseLines(run);
  const shown = lines.filter(({ case: measuredCase }) =>
    fits(measuredCase, query, typed, `${measuredCase.status} ${measuredCase.bottleneck ?? ""}`),
  );
  return (
    <section aria-labelledby="run-cases">
      <h2 id="run-cases">{text("cases.title")}</h2>
      <CaseFilters cases={run.cases} words={typed} onWords={setTyped} />
      {shown.length === 0 && <div class="blank">{text("cases.none")}</div>}
      {[...byWorkload(shown)].map(([workload, same]) => (
        <section key={workload} class="workload">
          <h3>
            {known("workload", workload, say)}{" "}
            {same.some(({ case: measuredCase }) => measuredCase.reported == null) && (
              <span class="quiet">{oneLine(workload)}</span>
            )}
          </h3>
          <Rankings lines={same} />
          <CaseTable lines={same} label={known("workload", workload, say)} />
          <Notes
            rows={same.map(({ case: measuredCase }) => ({
              case: measuredCase,
              notes: measuredCase.notes ?? [],
            }))}
          />
        </section>
      ))}
      {shown.length > 0 && (
        <Downloads name={run.id} rows={shown.map((line) => exportedCase(run, line))} />
      )}
    </section>
  );
}

/** How sure each order is, in a sentence. */
function Rankings({ lines }: { readonly lines: readonly CaseLine[] }) {
  const text = useWords(runWords);
  return (
    <>
      {[...rankingsOf(lines)].map(([ranking, same]) => (
        <p key={ranking.case.join(" ")} class="ranking">
          {text(ranking.interleaved ? "ranking.interleaved" : "ranking", {
            connections: quantity(same[0]?.case.connections ?? 0, "count"),
            best: same
              .filter(({ rank }) => rank?.first === 1)
              .map(({ case: measuredCase }) => variantName(measuredCase))
              .join(", "),
            servers: ranking.case.length,
            rounds: ranking.rounds,
            spread: quantity(ranking.spread_ratio, "ratio"),
          })}
        </p>
      ))}
    </>
  );
}
