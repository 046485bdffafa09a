/** Server × model: each cell its share of the theoretical maximum, or of the best, and what limits it. */

import { useApp, useWords } from "../../app/context";
import { grouped } from "../../data/group";
import { isRanked, type LatestRow } from "../../data/latest";
import { type RankOf, rankRange } from "../../data/rankings";
import { bottleneckWords, known } from "../../parts/marks";
import { serverName, variantName } from "../../parts/names";
import { change, metricName, oneLine, quantity, unbroken } from "../../words/format";
import { type Question, rate, shareOfTheoreticalMax } from "./answer";
import { weekChange } from "./week";
import { overviewWords } from "./words";

interface Props {
  readonly question: Question;
  readonly rankOf: RankOf;
  readonly labelledBy: string;
}

export function HeatMap({ question, rankOf, labelledBy }: Props) {
  const { say } = useApp();
  const text = useWords(overviewWords);
  const { rows } = question;
  const best = Math.max(0, ...rows.filter(isRanked).map(rate));
  const theoreticalMax = rows.some((row) => row.theoretical_max_rps);
  const ranked = rows.some((row) => rankOf(row) !== null);
  const meaning = theoreticalMax
    ? "heat.of-theoreticalMax"
    : ranked
      ? "heat.of-best"
      : "heat.rates";
  const columns = [...new Set(rows.map(columnOf))];
  const lines = [...grouped(rows, ({ case: caseRow }) => `${caseRow.boot} ${caseRow.server}`)];
  return (
    <>
      <p class="quiet">{text(meaning)}</p>
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
                    rankOf={rankOf}
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

function columnOf({ case: caseRow }: LatestRow): string {
  return caseRow.runtime === "jvm" ? caseRow.model : `${caseRow.model} ${caseRow.runtime}`;
}

function Server({ row }: { readonly row: LatestRow | undefined }) {
  return (
    <th scope="row">
      {serverName(row?.case.server ?? "")}{" "}
      <span class="quiet">{oneLine(row?.case.boot ?? "")}</span>
    </th>
  );
}

interface CellProps {
  readonly row: LatestRow | undefined;
  readonly rankOf: RankOf;
  /** The largest throughput of all, which sets the colours where nothing else does. */
  readonly best: number;
}

function Cell({ row, rankOf, best }: CellProps) {
  const { say, to } = useApp();
  const text = useWords(overviewWords);
  if (row === undefined) return <td class="none" />;
  const caseRow = row.case;
  const href = to("trends", { s: `${caseRow.case}@${caseRow.configuration}` });
  if (row.status !== "ok" || rate(row) === 0) {
    return (
      <td class="failed">
        <a href={href}>{known("status", row.status, say)}</a>
      </td>
    );
  }
  const rank = rankOf(row);
  const share = row.theoretical_max_rps
    ? shareOfTheoreticalMax(row)
    : (rank?.ratio ?? rate(row) / best);
  const rated = quantity(rate(row), "rps");
  const hasShare = row.theoretical_max_rps !== null || rank !== null;
  const value = isRanked(row) ? (hasShare ? quantity(share, "ratio") : rated) : "–";
  const spread = row.interval
    ? text("heat.interval", {
        low: quantity(row.interval.low, "rps"),
        high: quantity(row.interval.high, "rps"),
        forks: row.n,
      })
    : text("heat.one-fork");
  const edges = { low: quantity(rank?.low, "ratio"), high: quantity(rank?.high, "ratio") };
  const title = `${variantName(caseRow)}: ${rated}, ${spread}`;
  return (
    <td class={isRanked(row) ? "share" : "share unranked"} style={{ "--share": share }}>
      <a href={href} title={title}>
        <span class="value">{value}</span>
        {rank && <span class="rank">{text("heat.rank", { rank: rankRange(rank) })}</span>}
        {rank && !row.theoretical_max_rps && rank.low !== rank.high && (
          <span class="rank">{say("interval.range", edges)}</span>
        )}
        {value !== rated && <span class="rate">{rated}</span>}
        <span class="bottleneck">{bottleneckWords(row.bottleneck, say)}</span>
        <Week row={row} />
      </a>
    </td>
  );
}

/** The steps of the last week in one; nothing where none was found. */
function Week({ row }: { readonly row: LatestRow }) {
  const { index, row: hosts, say } = useApp();
  const text = useWords(overviewWords);
  const found = weekChange(index.events ?? [], row, hosts.class);
  if (found === null) return null;
  const size = unbroken(change(found.ratio));
  const named =
    found.metric === "throughput_rps" ? size : `${metricName(found.metric, say)} ${size}`;
  return (
    <span class={found.bad && found.sure ? "week bad" : "week"}>
      {text(found.sure ? "heat.week" : "heat.week-suspected", { change: named })}
    </span>
  );
}
