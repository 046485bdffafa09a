/** The numbers behind the chart: a row a release, the newest first. */

import { useApp, useWords } from "../../app/context";
import { type Change, findingOf, type Link } from "../../data/chain";
import type { MetricRow } from "../../data/contract";
import { inOrder, type ReleaseValue } from "../../data/releases";
import { DataTable } from "../../parts/data_table";
import { OptionWords } from "../../parts/java_options";
import { ABSENT, change, oneLine, quantity } from "../../words/format";
import { isChange } from "./changes";
import type { ChainLine } from "./lines";
import { releaseWords } from "./words";

/** A variant over the releases: what adds up, and the levels of its runs, where there are such. */
export interface Column {
  readonly name: string;
  readonly line: ChainLine | null;
  readonly values: readonly ReleaseValue[];
}

interface Props {
  readonly columns: readonly Column[];
  readonly metric: MetricRow;
  /** Those that JVMs ran with in the comparisons, each list once. */
  readonly options: readonly (readonly string[])[];
}

export function ReleaseTable({ columns, metric, options }: Props) {
  const text = useWords(releaseWords);
  const versions = [...new Set(columns.flatMap(versionsOf))].toSorted(inOrder).toReversed();
  const levels = columns.some(({ values }) => values.length > 0);
  return (
    <section aria-labelledby="numbers">
      <h2 id="numbers">{text("numbers")}</h2>
      <DataTable
        label={text("table")}
        heads={[{ words: text("col.release") }, ...columns.map(({ name }) => ({ words: name }))]}
        count={versions.length}
        row={(at) => {
          const version = versions[at] ?? "";
          return [
            <Name key="name" columns={columns} version={version} />,
            ...columns.map((column) => (
              <Cell key={column.name} column={column} version={version} metric={metric} />
            )),
          ];
        }}
      />
      <p class="quiet">
        {text("table.meaning")} {levels && text("table.levels")}{" "}
        {options.map((list) => (
          <OptionWords key={list.join(" ")} options={list} />
        ))}
      </p>
    </section>
  );
}

function versionsOf({ line, values }: Column): readonly string[] {
  return [...(line?.chain.versions ?? []), ...values.map(({ version }) => version)];
}

/** What leads to a release from the one before it. */
function linkTo({ line }: Column, version: string): Link | null {
  return line?.chain.links.find(({ after }) => after === version) ?? null;
}

interface NameProps {
  readonly columns: readonly Column[];
  readonly version: string;
}

/** The release, which leads to what it changed of the one before it. */
function Name({ columns, version }: NameProps) {
  const { to } = useApp();
  const [shas] = columns.flatMap((column) => linkTo(column, version)?.shas ?? []);
  const name = oneLine(version);
  return shas ? <a href={to("compare", shas)}>{name}</a> : <span>{name}</span>;
}

interface CellProps {
  readonly column: Column;
  readonly version: string;
  readonly metric: MetricRow;
}

function Cell({ column: { line, values }, version, metric }: CellProps) {
  const text = useWords(releaseWords);
  const at = line?.chain.versions.indexOf(version) ?? -1;
  const link = at > 0 ? (line?.chain.links[at - 1] ?? null) : null;
  const finding = link && findingOf(link, metric.name);
  const level = values.find((value) => value.version === version);
  const totalChange = line?.changes[at] ?? null;
  return (
    <>
      {line?.base === version ? text("since.here") : sizeWords(totalChange, text)}
      {link && finding && (
        <span class={isChange(finding.verdict) ? "range changed" : "range"}>
          {text("beside", {
            before: oneLine(link.before),
            change: change(finding.ratio),
            low: change(finding.low_ratio),
            high: change(finding.high_ratio),
          })}
        </span>
      )}
      {level && <Level level={level} unit={metric.unit} />}
    </>
  );
}

type ViewText = (key: "size", values: Record<string, string>) => string;

function sizeWords(found: Change | null, text: ViewText): string {
  if (found === null) return ABSENT;
  const { ratio, low, high } = found;
  return text("size", { change: change(ratio), low: change(low), high: change(high) });
}

function Level({ level, unit }: { readonly level: ReleaseValue; readonly unit: string }) {
  const text = useWords(releaseWords);
  const { value, low, high, runs } = level;
  const spread = `${(100 * Math.max(high / value - 1, 1 - low / value)).toFixed(1)} %`;
  const words = { value: quantity(value, unit), runs, spread };
  return <span class="range">{text(runs > 1 ? "runs" : "one-run", words)}</span>;
}
