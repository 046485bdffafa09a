/** The ratios as a table that sorts by any column. */

import { useEffect, useState } from "preact/hooks";
import { useApp, useWords } from "../../app/context";
import { reachOf } from "../../parts/interval_picture";
import { SortHead } from "../../parts/sort_head";
import { Line } from "./line";
import { nextSort, readOrder, type Sort } from "./order";
import type { Names } from "./result";
import type { ComparedRow } from "./rows";
import { compareWords } from "./words";

interface Props {
  readonly rows: readonly ComparedRow[];
  readonly names: Names;
  readonly measured: boolean;
  readonly variants: boolean;
}

/** So many rows are drawn at once: ten thousand would block the page. */
const PIECE = 150;

export function RatioTable({ rows, names, measured, variants }: Props) {
  const text = useWords(compareWords);
  const [most, setMost] = useState(PIECE);
  const first = rows[0];
  // other rows begin anew
  useEffect(() => setMost(PIECE), [rows.length, first]);
  const left = rows.length - most;
  const shown = rows.slice(0, most);
  const reach = reachOf(shown.map(({ ratio }) => ratio));
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard */}
      <section class="scroll" tabIndex={0} aria-label={text("table.label", { ...names })}>
        <table class="ratios">
          <thead>
            <tr>
              <Head by="case" words={text("col.case")} />
              <Head by="metric" words={text("col.metric")} text />
              {measured ? (
                <th scope="col">{text("col.pairs")}</th>
              ) : (
                <>
                  <Head by="base" words={names.base} />
                  <Head by="head" words={names.head} />
                </>
              )}
              <Head by="ratio" words={text(variants ? "col.ratio.variants" : "col.ratio")} />
              {measured && (
                <>
                  <th scope="col">{text("col.interval")}</th>
                  <th scope="col" class="in-picture">
                    {text("col.picture")}
                  </th>
                </>
              )}
              <Head by="verdict" words={text("col.verdict")} text />
            </tr>
          </thead>
          <tbody>
            {shown.map((row) => (
              <Line
                key={`${row.case.case} ${row.case.configuration} ${row.metric}`}
                row={row}
                measured={measured}
                variants={variants}
                reach={reach}
              />
            ))}
          </tbody>
        </table>
      </section>
      {left > 0 && (
        <button type="button" onClick={() => setMost(most + PIECE)}>
          {text("more", { count: Math.min(PIECE, left), left })}
        </button>
      )}
    </>
  );
}

interface HeadProps {
  readonly by: Sort;
  readonly words: string;
  readonly text?: boolean;
}

function Head({ by, words, text = false }: HeadProps) {
  const { query, choose } = useApp();
  const order = readOrder(query.get("sort"));
  const sorted = order.by === by ? (order.down ? "descending" : "ascending") : undefined;
  return (
    <SortHead
      words={words}
      text={text}
      sorted={sorted}
      onSort={() => choose({ sort: nextSort(order, by) })}
    />
  );
}
