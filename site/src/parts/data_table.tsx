/** A table of any length, a page at a time: 10,000 rows must not hold up the page. */

import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { useApp } from "../app/context";
import { quantity } from "../words/format";
import { type Head, TableHead } from "./table_head";

interface Props {
  /** What the table has, for those who come to it by its name. */
  readonly label: string;
  readonly heads: readonly Head[];
  readonly count: number;
  /** The cells of a row; the first is its head. */
  readonly row: (at: number) => readonly ComponentChildren[];
}

const PAGE = 100;

export function DataTable({ label, heads, count, row }: Props) {
  const [page, setPage] = useState(0);
  const last = Math.max(0, Math.ceil(count / PAGE) - 1);
  const shown = Math.min(page, last);
  const rows = Array.from({ length: Math.min(PAGE, count - shown * PAGE) }, (_, at) =>
    row(shown * PAGE + at),
  );
  return (
    <>
      {last > 0 && <Pages page={shown} last={last} count={count} onPage={setPage} />}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard */}
      <section class="scroll tall" tabIndex={0} aria-label={label}>
        <table>
          <TableHead heads={heads} />
          <tbody>
            {rows.map(([head, ...cells], at) => (
              <tr key={at}>
                <th scope="row">{head}</th>
                {cells.map((cell, column) => (
                  <td key={column} class={heads[column + 1]?.kind}>
                    {cell}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </>
  );
}

interface PagesProps {
  readonly page: number;
  readonly last: number;
  readonly count: number;
  readonly onPage: (page: number) => void;
}

function Pages({ page, last, count, onPage }: PagesProps) {
  const { say } = useApp();
  const values = {
    from: quantity(page * PAGE + 1, "count"),
    to: quantity(Math.min(count, (page + 1) * PAGE), "count"),
    count: quantity(count, "count"),
  };
  const button = (words: string, to: number) => (
    <button type="button" disabled={to === page} onClick={() => onPage(to)}>
      {words}
    </button>
  );
  return (
    <p class="downloads">
      {button(say("table.first"), 0)}
      {button(say("table.previous"), Math.max(0, page - 1))}
      <span aria-live="polite">{say("table.rows", values)}</span>
      {button(say("table.next"), Math.min(last, page + 1))}
      {button(say("table.last"), last)}
    </p>
  );
}
