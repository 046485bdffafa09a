/** The rows of a comparison: in a sentence, narrowed by choices, as a table, and as files. */

import { useApp, useWords } from "../../app/context";
import { CaseFilters, useTyped } from "../../parts/case_filters";
import { Downloads } from "../../parts/downloads";
import { metricName } from "../../words/format";
import { exported } from "./exported";
import { FactTable } from "./fact_table";
import type { Fact } from "./facts";
import { counts, ordered, readOrder, shownRows } from "./order";
import { isChange } from "./ratio";
import type { ComparedRow } from "./rows";
import { RatioTable } from "./table";
import { compareWords } from "./words";

export interface Names {
  readonly base: string;
  readonly head: string;
}

interface Props {
  readonly rows: readonly ComparedRow[];
  readonly facts: readonly Fact[];
  readonly names: Names;
  readonly measured?: boolean;
  readonly variants?: boolean;
}

export function Result({ rows, facts, names, measured = false, variants = false }: Props) {
  const { query, say } = useApp();
  const text = useWords(compareWords);
  const [typed, setTyped] = useTyped();
  const fitting = shownRows(rows, query, typed);
  const changed = fitting.filter(({ verdict }) => isChange(verdict));
  const all = query.get("only") === "all";
  const shown = ordered(all ? fitting : changed, readOrder(query.get("sort")));
  const metrics = [...new Set(rows.map(({ metric }) => metric))].map((metric) => ({
    value: metric,
    words: metricName(metric, say),
  }));
  return (
    <>
      <FactTable facts={facts} names={names} />
      <section>
        <h2>{text("table.label", { ...names })}</h2>
        <Summary rows={fitting} variants={variants} />
        {!measured && <p class="quiet method">{text(variants ? "method.variants" : "method")}</p>}
        <CaseFilters
          cases={rows.map(({ case: caseRow }) => caseRow)}
          words={typed}
          onWords={setTyped}
          also={[{ name: "metric", label: text("metric"), values: metrics }]}
        />
        <ChangesToggle changed={changed.length} all={fitting.length} variants={variants} />
        {shown.length > 0 ? (
          <>
            <RatioTable rows={shown} names={names} measured={measured} variants={variants} />
            <Downloads name="springbench-compare" rows={shown.map(exported)} />
          </>
        ) : (
          <Blank filtered={fitting.length === 0} variants={variants} onClear={() => setTyped("")} />
        )}
      </section>
    </>
  );
}

interface SummaryProps {
  readonly rows: readonly ComparedRow[];
  readonly variants: boolean;
}

function Summary({ rows, variants }: SummaryProps) {
  const text = useWords(compareWords);
  const { worse, better, changed, same, unknown } = counts(rows);
  const total = worse + better + changed;
  const values = { all: rows.length, changed: total, worse, better };
  const key = total > 0 ? "summary" : "summary.none";
  return (
    <p class="summary">
      <strong>{text(variants ? `${key}.variants` : key, values)}</strong>{" "}
      {text("summary.rest", { same, unknown })}
    </p>
  );
}

interface ChangesToggleProps {
  readonly changed: number;
  readonly all: number;
  readonly variants: boolean;
}

function ChangesToggle({ changed, all, variants }: ChangesToggleProps) {
  const { query, choose } = useApp();
  const text = useWords(compareWords);
  const isAll = query.get("only") === "all";
  return (
    // biome-ignore lint/a11y/useSemanticElements: two switches are no fields of a form
    <div class="only" role="group" aria-label={text("only.label")}>
      <button type="button" aria-pressed={!isAll} onClick={() => choose({ only: undefined })}>
        {text(variants ? "only.changed.variants" : "only.changed", { count: changed })}
      </button>
      <button type="button" aria-pressed={isAll} onClick={() => choose({ only: "all" })}>
        {text("only.all", { count: all })}
      </button>
    </div>
  );
}

const FILTERS = ["workload", "server", "model", "runtime", "boot", "connections", "metric", "q"];

interface BlankProps {
  readonly filtered: boolean;
  readonly variants: boolean;
  readonly onClear: () => void;
}

function Blank({ filtered, variants, onClear }: BlankProps) {
  const { choose } = useApp();
  const text = useWords(compareWords);
  const nothing = variants ? "empty.changed.variants" : "empty.changed";
  const clear = () => {
    onClear();
    choose(Object.fromEntries(FILTERS.map((name) => [name, undefined])));
  };
  return (
    <div class="blank">
      <p>{text(filtered ? "empty.filtered" : nothing)}</p>
      {filtered ? (
        <button type="button" onClick={clear}>
          {text("clear-filters")}
        </button>
      ) : (
        <button type="button" onClick={() => choose({ only: "all" })}>
          {text("show-all")}
        </button>
      )}
    </div>
  );
}
