/** A line for each variant: numbers with bars, each beside the best of its column. */

import { useApp, useWords } from "../../app/context";
import type { MetricRow } from "../../data/contract";
import type { LatestRow } from "../../data/latest";
import { type RankOf, rankRange } from "../../data/rankings";
import { known } from "../../parts/marks";
import { variantName } from "../../parts/names";
import { Range } from "../../parts/range";
import { SortHead } from "../../parts/sort_head";
import { ABSENT, metricName, oneLine, quantity } from "../../words/format";
import { type Cell, cellsOf, groupsOf, nextSort, readOrder } from "./rows";
import { footprintWords } from "./words";

interface Props {
  readonly rows: readonly LatestRow[];
  readonly columns: readonly MetricRow[];
  readonly rankOf: RankOf;
}

export function FootprintTable({ rows, columns, rankOf }: Props) {
  const { say, query, choose } = useApp();
  const text = useWords(footprintWords);
  const order = readOrder(query.get("sort"), columns);
  const cells = new Map(columns.map((column) => [column.name, cellsOf(column, rows, rankOf)]));
  const groups = groupsOf(rows, order);
  const sorted = order.down ? "descending" : "ascending";
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard
    <section class="scroll" tabIndex={0} aria-labelledby="variants">
      <table class="footprint">
        <thead>
          <tr>
            <th scope="col">{text("col.variant")}</th>
            {columns.map(({ name }) => (
              <SortHead
                key={name}
                words={metricName(name, say)}
                sorted={order.metric === name ? sorted : undefined}
                onSort={() => choose({ sort: nextSort(order, name) })}
              />
            ))}
          </tr>
        </thead>
        {groups.map(({ runtime, rows: same }) => (
          <tbody key={runtime}>
            {groups.length > 1 && (
              <tr class="group">
                <th scope="rowgroup" colSpan={columns.length + 1}>
                  {oneLine(runtime)}
                </th>
              </tr>
            )}
            {same.map((row) => (
              <Line
                key={row.case.case}
                row={row}
                columns={columns}
                cell={(metric) => cells.get(metric)?.get(row)}
              />
            ))}
          </tbody>
        ))}
      </table>
    </section>
  );
}

interface LineProps {
  readonly row: LatestRow;
  readonly columns: readonly MetricRow[];
  readonly cell: (metric: string) => Cell | undefined;
}

function Line({ row, columns, cell }: LineProps) {
  const { say, to } = useApp();
  const { case: caseRow, status } = row;
  const s = `${caseRow.case}@${caseRow.configuration}`;
  return (
    <tr>
      <th scope="row">
        <a href={to("trends", { s, metric: columns[0]?.name })}>{variantName(caseRow)}</a>{" "}
        <span class="quiet">{oneLine(caseRow.boot)}</span>
      </th>
      {status === "ok" ? (
        columns.map(({ name, unit }) => <NumberCell key={name} cell={cell(name)} unit={unit} />)
      ) : (
        <td class="text bad" colSpan={columns.length}>
          {known("status", status, say)}
        </td>
      )}
    </tr>
  );
}

function NumberCell({ cell, unit }: { readonly cell: Cell | undefined; readonly unit: string }) {
  const text = useWords(footprintWords);
  if (cell === undefined) return <td>{ABSENT}</td>;
  const { value, rank, share } = cell;
  const best = rank?.first === 1;
  const times = rank && !best ? text("times", { times: formatTimes(rank.ratio) }) : "";
  const rankText =
    rank && `${best ? text("best") : times}, ${text("rank", { rank: rankRange(rank) })}`;
  return (
    <td class={best ? "number best" : "number"} style={{ "--share": share }}>
      {quantity(value.median, unit)}
      <span class="beside">{rankText}</span>
      <Range value={value} unit={unit} />
    </td>
  );
}

/** `1.30`, `12.4`, `230`. */
function formatTimes(times: number): string {
  return times.toFixed(times < 10 ? 2 : times < 100 ? 1 : 0);
}
