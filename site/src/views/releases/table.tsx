/** The numbers behind the chart: a row a release, the newest first. */

import { useApp, useWords } from "../../app/context";
import type { MetricRow } from "../../data/contract";
import { type ReleaseSeries, sinceBefore, versionsOf } from "../../data/releases";
import { DataTable } from "../../parts/data_table";
import { namesApart } from "../../parts/names";
import { change, oneLine, quantity } from "../../words/format";
import { releaseWords } from "./words";

interface Given {
  readonly series: readonly ReleaseSeries[];
  readonly metric: MetricRow;
}

export function ReleaseTable({ series, metric }: Given) {
  const own = useWords(releaseWords);
  const versions = versionsOf(series).toReversed();
  const names = namesApart(series.map(({ of }) => of));
  return (
    <>
      <DataTable
        label={own("table")}
        heads={[{ words: own("col.release") }, ...names.map((words) => ({ words }))]}
        count={versions.length}
        row={(at) => {
          const version = versions[at] ?? "";
          return [
            <Name key="name" series={series} version={version} before={versions[at + 1]} />,
            ...series.map((each) => (
              <Cell key={each.of.case} of={each} version={version} unit={metric.unit} />
            )),
          ];
        }}
      />
      <p class="quiet">{own("table.meaning")}</p>
    </>
  );
}

interface NameGiven {
  readonly series: readonly ReleaseSeries[];
  readonly version: string;
  readonly before: string | undefined;
}

/** The release, which leads to what it changed of the one before it. */
function Name({ series, version, before }: NameGiven) {
  const { to } = useApp();
  const shaOf = (wanted: string | undefined) =>
    series.flatMap(({ values }) => values).find((each) => each.version === wanted)?.sha;
  const [base, head] = [shaOf(before), shaOf(version)];
  const name = oneLine(version);
  return base && head ? <a href={to("compare", { base, head })}>{name}</a> : <span>{name}</span>;
}

interface CellGiven {
  readonly of: ReleaseSeries;
  readonly version: string;
  readonly unit: string;
}

function Cell({ of, version, unit }: CellGiven) {
  const own = useWords(releaseWords);
  const found = of.values.find((each) => each.version === version);
  if (found === undefined) return <>–</>;
  const ratio = sinceBefore(of, version);
  const { value, low, high, runs } = found;
  const spread = `${(100 * Math.max(high / value - 1, 1 - low / value)).toFixed(1)} %`;
  const first = ratio === null ? "since.first" : "since";
  const one = ratio === null ? "since.first-one" : "since.one";
  const values = { runs, spread, change: ratio === null ? "" : change(ratio) };
  return (
    <>
      {quantity(value, unit)}
      <span class="range">{own(runs > 1 ? first : one, values)}</span>
    </>
  );
}
