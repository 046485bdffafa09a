/** The numbers behind the chart: a row a release, the newest first. */

import { useApp, useWords } from "../../app/context";
import type { MetricRow } from "../../data/contract";
import { type ReleaseSeries, versionsOf } from "../../data/releases";
import { DataTable } from "../../parts/data_table";
import { OptionWords } from "../../parts/java_options";
import { namesApart } from "../../parts/names";
import { ABSENT, change, oneLine, quantity } from "../../words/format";
import { type Finding, findingOf, type Neighbours, optionsOf, shaOf } from "./neighbours";
import { releaseWords } from "./words";

interface Props {
  readonly series: readonly ReleaseSeries[];
  readonly metric: MetricRow;
  readonly neighbours: Neighbours;
}

export function ReleaseTable({ series, metric, neighbours }: Props) {
  const own = useWords(releaseWords);
  const versions = versionsOf(series).toReversed();
  const names = namesApart(series.map(({ of }) => of));
  return (
    <section aria-labelledby="numbers">
      <h2 id="numbers">{own("numbers")}</h2>
      <DataTable
        label={own("table")}
        heads={[{ words: own("col.release") }, ...names.map((words) => ({ words }))]}
        count={versions.length}
        row={(at) => {
          const version = versions[at] ?? "";
          return [
            <Name key="name" series={series} version={version} before={versions[at + 1]} />,
            ...series.map((each) => (
              <Cell
                key={each.of.case}
                of={each}
                version={version}
                metric={metric}
                finding={findingOf(neighbours.get(version), each.of.case, metric.name)}
              />
            )),
          ];
        }}
      />
      <p class="quiet">
        {own("table.meaning")}{" "}
        {optionsOf(neighbours).map((options) => (
          <OptionWords key={options.join(" ")} options={options} />
        ))}
      </p>
    </section>
  );
}

interface NameProps {
  readonly series: readonly ReleaseSeries[];
  readonly version: string;
  readonly before: string | undefined;
}

/** The release, which leads to what it changed of the one before it. */
function Name({ series, version, before }: NameProps) {
  const { to } = useApp();
  const [base, head] = [shaOf(series, before), shaOf(series, version)];
  const name = oneLine(version);
  return base && head ? <a href={to("compare", { base, head })}>{name}</a> : <span>{name}</span>;
}

/** What noise leaves undecided is no change. */
const SHOWN: ReadonlySet<Finding["verdict"]> = new Set(["regression", "improvement", "suspected"]);

interface CellProps {
  readonly of: ReleaseSeries;
  readonly version: string;
  readonly metric: MetricRow;
  readonly finding: Finding | null;
}

function Cell({ of, version, metric, finding }: CellProps) {
  const own = useWords(releaseWords);
  const found = of.values.find((each) => each.version === version);
  const { runs = 0, value = 1, high = 1, low = 1 } = found ?? {};
  const spread = `${(100 * Math.max(high / value - 1, 1 - low / value)).toFixed(1)} %`;
  return (
    <>
      {found ? quantity(value, metric.unit) : ABSENT}
      {finding && (
        <span class={SHOWN.has(finding.verdict) ? "range changed" : "range"}>
          {own("beside", {
            change: change(finding.ratio),
            low: change(finding.low_ratio),
            high: change(finding.high_ratio),
          })}
        </span>
      )}
      {runs > 0 && (
        <span class="range">{runs > 1 ? own("runs", { runs, spread }) : own("one-run")}</span>
      )}
    </>
  );
}
