/** Cases of one workload as a table; each leads to its trend. */

import { useApp, useWords } from "../../app/context";
import { configurationWords } from "../../data/cases";
import type { PublishedCase } from "../../data/published";
import { type Rank, rankRange } from "../../data/rankings";
import type { Value } from "../../data/values";
import type { DeclaredMetric } from "../../generated/metrics";
import { bottleneckWords, known } from "../../parts/marks";
import { loadName, variantName } from "../../parts/names";
import { ABSENT, metricName, oneLine, quantity } from "../../words/format";
import { type CaseLine, columnsOf } from "./case_rows";
import { runWords } from "./words";

interface Props {
  readonly lines: readonly CaseLine[];
  readonly label: string;
}

export function CaseTable({ lines, label }: Props) {
  const { say } = useApp();
  const own = useWords(runWords);
  const columns = columnsOf(lines);
  const theoreticalMax = lines.some(({ of }) => of.theoretical_max_rps);
  const ranked = lines.some(({ rank }) => rank !== null);
  const reported = lines.every(({ of }) => of.reported);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard
    <section class="scroll" tabIndex={0} aria-label={label}>
      <table class="cases">
        <thead>
          <tr>
            <th scope="col">{own(reported ? "col.benchmark" : "col.variant")}</th>
            {!reported && <th scope="col">{own("col.connections")}</th>}
            {ranked && <th scope="col">{own("col.rank")}</th>}
            {ranked && <th scope="col">{own("col.of-best")}</th>}
            {theoreticalMax && <th scope="col">{own("col.theoreticalMax")}</th>}
            {columns.map(({ name }) => (
              <th key={name} scope="col">
                {metricName(name, say)}
              </th>
            ))}
            {!reported && (
              <th scope="col" class="text">
                {own("col.bottleneck")}
              </th>
            )}
            <th scope="col">{own(reported ? "col.repetitions" : "col.forks")}</th>
            {!reported && <th scope="col">{own("col.warnings")}</th>}
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => (
            <Line
              key={`${line.of.case}@${line.of.configuration}`}
              line={line}
              columns={columns}
              theoreticalMax={theoreticalMax}
              ranked={ranked}
              reported={reported}
            />
          ))}
        </tbody>
      </table>
    </section>
  );
}

interface LineProps {
  readonly line: CaseLine;
  readonly columns: readonly DeclaredMetric[];
  readonly theoreticalMax: boolean;
  readonly ranked: boolean;
  /** Whether all rows are of other harnesses, which have neither loads nor bottlenecks. */
  readonly reported: boolean;
}

function Line({ line, columns, theoreticalMax, ranked, reported }: LineProps) {
  const { say, to } = useApp();
  const { of, value, rank } = line;
  const failed = of.status !== "ok";
  return (
    <tr>
      <th scope="row">
        <a href={to("trends", { s: `${of.case}@${of.configuration}` })}>{variantName(of)}</a>{" "}
        <span class="quiet" title={oneLine(configurationWords(of.configuration))}>
          {of.reported ? loadName(of) : oneLine(of.boot)}
        </span>
      </th>
      {!reported && <td>{quantity(of.connections, "count")}</td>}
      {failed ? (
        <td
          class="text bad reason"
          colSpan={columns.length + Number(theoreticalMax) + 2 * Number(ranked)}
        >
          {known("status", of.status, say)}
          {of.reason && `: ${oneLine(of.reason)}`}
        </td>
      ) : (
        <>
          {ranked && <td>{rank ? rankRange(rank) : ABSENT}</td>}
          {ranked && <OfBest rank={rank} />}
          {theoreticalMax && <td>{shareOfTheoreticalMax(of, value("throughput_rps"))}</td>}
          {columns.map(({ name, unit }) => (
            <Cell key={name} value={value(name)} unit={unit} reported={reported} />
          ))}
        </>
      )}
      {!reported && <td class="text">{bottleneckWords(of.bottleneck ?? null, say) || ABSENT}</td>}
      <td>{of.n}</td>
      {!reported && <td>{of.warnings.length || ABSENT}</td>}
    </tr>
  );
}

function OfBest({ rank }: { readonly rank: Rank | null }) {
  const { say } = useApp();
  const own = useWords(runWords);
  if (rank === null) return <td>{ABSENT}</td>;
  if (rank.low === rank.high) return <td>{own("best")}</td>;
  const edges = { low: quantity(rank.low, "ratio"), high: quantity(rank.high, "ratio") };
  return (
    <td>
      {quantity(rank.ratio, "ratio")}
      <span class="range quiet">{say("interval.range", edges)}</span>
    </td>
  );
}

interface CellProps {
  readonly value: Value | null;
  readonly unit: string;
  readonly reported: boolean;
}

function Cell({ value, unit, reported }: CellProps) {
  const { say } = useApp();
  const own = useWords(runWords);
  if (value === null) return <td>{ABSENT}</td>;
  const edges = { low: quantity(value.low, unit), high: quantity(value.high, unit) };
  const alone = own(reported ? "one-fork.reported" : "one-fork");
  const range = value.forks > 1 ? say("interval.range", edges) : alone;
  return (
    <td>
      {quantity(value.median, unit)}
      {(unit === "rps" || reported) && <span class="range quiet">{range}</span>}
    </td>
  );
}

function shareOfTheoreticalMax(of: PublishedCase, value: Value | null): string {
  return of.theoretical_max_rps && value
    ? quantity(value.median / of.theoretical_max_rps, "ratio")
    : ABSENT;
}
