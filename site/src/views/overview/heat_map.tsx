/** Server × model: each cell its share of the ideal, or of the best, and what bound it. */

import { useApp, useWords } from "../../app/context";
import { grouped } from "../../data/group";
import { isRanked, type LatestRow } from "../../data/latest";
import { boundWords, known } from "../../parts/marks";
import { serverName, variantName } from "../../parts/names";
import { change, metricName, oneLine, quantity, unbroken } from "../../words/format";
import { type Question, rate, shareOfIdeal } from "./answer";
import { weekChange } from "./week";
import { overviewWords } from "./words";

interface Given {
  readonly question: Question;
  readonly labelledBy: string;
}

export function HeatMap({ question, labelledBy }: Given) {
  const { say } = useApp();
  const own = useWords(overviewWords);
  const { rows } = question;
  const best = Math.max(0, ...rows.filter(isRanked).map(rate));
  const ideal = rows.some((row) => row.ideal_rps);
  const columns = [...new Set(rows.map(columnOf))];
  const lines = [...grouped(rows, ({ case: of }) => `${of.boot} ${of.server}`)];
  return (
    <>
      <p class="quiet">{own(ideal ? "heat.of-ideal" : "heat.of-best")}</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard */}
      <section class="scroll" tabIndex={0} aria-labelledby={labelledBy}>
        <table class="heat">
          <thead>
            <tr>
              <th scope="col">{say("axis.server")}</th>
              {columns.map((column) => (
                <th key={column} scope="col">
                  {oneLine(column)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {lines.map(([line, same]) => (
              <tr key={line}>
                <Server row={same[0]} />
                {columns.map((column) => (
                  <Cell
                    key={column}
                    row={same.find((row) => columnOf(row) === column)}
                    best={best}
                  />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </>
  );
}

function columnOf({ case: of }: LatestRow): string {
  return of.runtime === "jvm" ? of.model : `${of.model} ${of.runtime}`;
}

function Server({ row }: { readonly row: LatestRow | undefined }) {
  return (
    <th scope="row">
      {serverName(row?.case.server ?? "")}{" "}
      <span class="quiet">{oneLine(row?.case.boot ?? "")}</span>
    </th>
  );
}

interface CellGiven {
  readonly row: LatestRow | undefined;
  readonly best: number;
}

function Cell({ row, best }: CellGiven) {
  const { say, to } = useApp();
  const own = useWords(overviewWords);
  if (row === undefined) return <td class="none" />;
  const of = row.case;
  const href = to("trends", { s: `${of.case}@${of.conditions}` });
  if (row.status !== "ok" || rate(row) === 0) {
    return (
      <td class="failed">
        <a href={href}>{known("status", row.status, say)}</a>
      </td>
    );
  }
  const share = row.ideal_rps ? shareOfIdeal(row) : rate(row) / best;
  const spread = row.interval
    ? own("heat.interval", {
        low: quantity(row.interval.low, "rps"),
        high: quantity(row.interval.high, "rps"),
        forks: row.n,
      })
    : own("heat.one-fork");
  const told = `${variantName(of)}: ${quantity(rate(row), "rps")}, ${spread}`;
  return (
    <td class={isRanked(row) ? "share" : "share unranked"} style={{ "--share": share }}>
      <a href={href} title={told}>
        <span class="value">{isRanked(row) ? quantity(share, "ratio") : "–"}</span>
        <span class="rate">{quantity(rate(row), "rps")}</span>
        <span class="bound">{boundWords(row.bound, say)}</span>
        <Week row={row} />
      </a>
    </td>
  );
}

/** The steps of the last week in one; nothing where none was found. */
function Week({ row }: { readonly row: LatestRow }) {
  const { index, row: hosts, say } = useApp();
  const own = useWords(overviewWords);
  const found = weekChange(index.events ?? [], row, hosts.class);
  if (found === null) return null;
  const size = unbroken(change(found.ratio));
  const named =
    found.metric === "throughput_rps" ? size : `${metricName(found.metric, say)} ${size}`;
  return (
    <span class={found.bad && found.sure ? "week bad" : "week"}>
      {own(found.sure ? "heat.week" : "heat.week-suspected", { change: named })}
    </span>
  );
}
