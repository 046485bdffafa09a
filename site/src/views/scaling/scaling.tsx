/** What becomes of throughput, latency and memory with more connections. */

import "./scaling.css";
import { useApp, useWords } from "../../app/context";
import { fits } from "../../data/case_filter";
import { configurationWords, distinct } from "../../data/cases";
import { latestRows } from "../../data/latest";
import { type Load, loadsOf, settleLoad } from "../../data/loads";
import { CaseFilters, useTyped } from "../../parts/case_filters";
import { LoadPicker } from "../../parts/load_picker";
import { known, markWords } from "../../parts/marks";
import { variantName } from "../../parts/names";
import { Notes } from "../../parts/notes";
import { useRunFiles } from "../../parts/run_files";
import { oneLine, quantity } from "../../words/format";
import { limitsOf, rateOf, type ScaledVariant, scaledVariants, scales } from "./curves";
import { Panels } from "./panels";
import { ScalingTable } from "./table";
import { scalingWords } from "./words";

/** What a reader most likely asks: what happens to servers that wait. */
const FIRST = "pay";

export function Scaling() {
  const { index, row, query } = useApp();
  const text = useWords(scalingWords);
  const loads = loadsOf(latestRows(index, row));
  const workload = query.get("workload") ?? (loads.some(isFirst) ? FIRST : null);
  const load = settleLoad(loads, workload, scales);
  return (
    <>
      <h1>{text("title")}</h1>
      <p class="lead">{text("lead")}</p>
      {load && <LoadPicker loads={loads} load={load} />}
      {load && <LoadSection load={load} />}
    </>
  );
}

function isFirst(load: Load): boolean {
  return load.workload === FIRST && scales(load);
}

function LoadSection({ load }: { readonly load: Load }) {
  const { query, say } = useApp();
  const text = useWords(scalingWords);
  const [words, setWords] = useTyped();
  const rows = load.counts.flatMap((count) => count.rows);
  const variants = scaledVariants(rows);
  if (variants.length === 0) return <OneCount load={load} />;
  const narrowed = new URLSearchParams(query);
  // the load is chosen above, and each curve has all its connections
  for (const axis of ["workload", "connections"]) narrowed.delete(axis);
  const shown = variants.filter(({ rows: [first] }) => first && fits(first.case, narrowed, words));
  const marks = distinct(shown.flatMap((variant) => variant.rows.flatMap((row) => row.marks)));
  return (
    <>
      <p class="answer">
        <Answer variants={variants} />
      </p>
      {marks.length > 0 && <p class="mark">{text("care", { marks: markWords(marks, say) })}</p>}
      <CaseFilters
        cases={variants.flatMap(({ rows: [first] }) =>
          first ? [{ ...first.case, connections: 0 }] : [],
        )}
        words={words}
        onWords={setWords}
      />
      {shown.length === 0 ? (
        <p class="blank">{text("none-fits")}</p>
      ) : (
        <>
          <Panels variants={shown} workload={load.workload} />
          <ScalingTable variants={shown} workload={load.workload} />
          <Notes
            rows={shown.flatMap((variant) =>
              variant.rows.map(({ case: caseRow, notes }) => ({ case: caseRow, notes })),
            )}
          />
        </>
      )}
      <p class="quiet">{text("measured", { how: howWords(shown) })}</p>
    </>
  );
}

function howWords(variants: readonly ScaledVariant[]): string {
  const rows = variants.flatMap((variant) => variant.rows);
  return oneLine(
    distinct(rows.map((row) => configurationWords(row.case.configuration))).join("; "),
  );
}

/** Who serves most and least where most is asked. */
function Answer({ variants }: { readonly variants: readonly ScaledVariant[] }) {
  const text = useWords(scalingWords);
  const { rankOf } = useRunFiles(variants.flatMap(({ rows }) => rows));
  const limits = limitsOf(variants, rankOf);
  if (limits === null) return <>{text("answer.nothing")}</>;
  const { best, worst, connections, all, keepUp, tied } = limits;
  const answer = text(tied ? "answer.tied" : "answer", {
    connections: quantity(connections, "count"),
    best: variantName(best.case),
    most: quantity(rateOf(best), "rps"),
    worst: variantName(worst.case),
    least: quantity(rateOf(worst), "rps"),
  });
  return (
    <>
      {answer} {keepUp !== null && text("answer.theoreticalMax", { count: keepUp, all })}
    </>
  );
}

function OneCount({ load }: { readonly load: Load }) {
  const { say } = useApp();
  const text = useWords(scalingWords);
  const connections = load.counts.map((count) => quantity(count.connections, "count")).join(", ");
  const workload = known("workload", load.workload, say);
  return (
    <div class="notice" role="note">
      <strong>{text("one-count", { workload, connections })}</strong>
      <p>{text("one-count.remedy")}</p>
    </div>
  );
}
