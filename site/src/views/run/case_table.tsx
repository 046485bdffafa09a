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
  const text = useWords(runWords);
  const columns = columnsOf(lines);
  const theoreticalMax = lines.some(({ case: measuredCase }) => measuredCase.theoretical_max_rps);
  const ranked = lines.some(({ rank }) => rank !== null);
  const reported = lines.every(({ case: measuredCase }) => measuredCase.reported);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard
    <section class="scroll" tabIndex={0} aria-label={label}>
      <table class="cases">
        <thead>
          <tr>
            <th scope="col">{text(reported ? "col.benchmark" : "col.variant")}</th>
            {!reported && <th scope="col">{text("col.connections")}</th>}
            {ranked && <th scope="col">{text("col.rank")}</th>}
            {ranked && <th scope="col">{text("col.of-best")}</th>}
            {theoreticalMax && <th scope="col">{text("col.theoreticalMax")}</th>}
            {columns.map(({ name }) => (
              <th key={name} scope="col">
                {metricName(name, say)}
              </th>
            ))}
            {!reported && (
              <th scope="col" class="text">
                {text("col.bottleneck")}
              </th>
            )}
            <th scope="col">{text(reported ? "col.repetitions" : "col.forks")}</th>
            {!reported && <th scope="col">{text("col.warnings")}</th>}
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => (
            <Line
              key={`${line.case.case}@${line.case.configuration}`}
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
  const { case: measuredCase, value, rank } = line;
  const failed = measuredCase.status !== "ok";
  return (
    <tr>
      <th scope="row">
        <a href={to("trends", { s: `${measuredCase.case}@${measuredCase.configuration}` })}>
          {variantName(measuredCase)}
        </a>{" "}
        <span class="quiet" title={oneLine(configurationWords(measuredCase.configuration))}>
          {measuredCase.reported ? loadName(measuredCase) : oneLine(measuredCase.boot)}
        </span>
      </th>
      {!reported && <td>{quantity(measuredCase.connections, "count")}</td>}
      {failed ? (
        <td
          class="text bad reason"
          colSpan={columns.length + Number(theoreticalMax) + 2 * Number(ranked)}
        >
          {known("status", measuredCase.status, say)}
          {measuredCase.reason && `: ${oneLine(measuredCase.reason)}`}
        </td>
      ) : (
        <>
          {ranked && <td>{rank ? rankRange(rank) : ABSENT}</td>}
          {ranked && <BestShare rank={rank} />}
          {theoreticalMax && (
            <td>{shareOfTheoreticalMax(measuredCase, value("throughput_rps"))}</td>
          )}
          {columns.map(({ name, unit }) => (
            <Cell key={name} value={value(name)} unit={unit} reported={reported} />
          ))}
        </>
      )}
      {!reported && (
        <td class="text">{bottleneckWords(measuredCase.bottleneck ?? null, say) || ABSENT}</td>
      )}
      <td>{measuredCase.n}</td>
      {!reported && <td>{measuredCase.warnings.length || ABSENT}</td>}
    </tr>
  );
}

function BestShare({ rank }: { readonly rank: Rank | null }) {
  const { say } = useApp();
  const text = useWords(runWords);
  if (rank === null) return <td>{ABSENT}</td>;
  if (rank.low === rank.high) return <td>{text("best")}</td>;
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
  const text = useWords(runWords);
  if (value === null) return <td>{ABSENT}</td>;
  const edges = { low: quantity(value.low, unit), high: quantity(value.high, unit) };
  const alone = text(reported ? "one-fork.reported" : "one-fork");
  const range = value.forks > 1 ? say("interval.range", edges) : alone;
  return (
    <td>
      {quantity(value.median, unit)}
      {(unit === "rps" || reported) && <span class="range quiet">{range}</span>}
    </td>
  );
}

function shareOfTheoreticalMax(measuredCase: PublishedCase, value: Value | null): string {
  return measuredCase.theoretical_max_rps && value
    ? quantity(value.median / measuredCase.theoretical_max_rps, "ratio")
    : ABSENT;
}
