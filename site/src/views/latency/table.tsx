/** The numbers behind the chart. */

import { useApp, useWords } from "../../app/context";
import { type Distribution, latencyAt, RATED, type Rate } from "../../data/distributions";
import type { Fields } from "../../data/export";
import { Downloads } from "../../parts/downloads";
import { variantName } from "../../parts/names";
import { Range } from "../../parts/range";
import { TableHead } from "../../parts/table_head";
import { oneLine, quantity } from "../../words/format";
import { pictureOf } from "./percentiles";
import { latencyWords } from "./words";

interface Props {
  readonly shown: readonly Distribution[];
  readonly rate: Rate;
}

const PERCENTS = [50, 90, 99, 99.9];

export function LatencyTable({ shown, rate }: Props) {
  const { say } = useApp();
  const text = useWords(latencyWords);
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard */}
      <section class="scroll" tabIndex={0} aria-label={text("table")}>
        <table class="latency">
          <TableHead
            heads={[
              { words: text("col.variant") },
              { words: text("col.offered") },
              ...PERCENTS.map((percent) => ({ words: `${percent} %` })),
            ]}
          />
          <tbody>
            {shown.map((distribution) => (
              <Line
                key={`${distribution.row.case.case}@${distribution.row.case.configuration}`}
                distribution={distribution}
              />
            ))}
          </tbody>
        </table>
      </section>
      <p class="quiet">{text("table.meaning")}</p>
      <Downloads
        name={`latency-${rate}`}
        rows={() => shown.flatMap(fieldsOf)}
        picture={async (kind) => {
          const { scalingFile } = await import("../../charts/scaling_file");
          const caption = { title: text(`chart.${rate}`), subtitle: text("chart.short") };
          return scalingFile(kind, pictureOf(shown, text("axis"), say), caption);
        }}
      />
    </>
  );
}

function Line({ distribution }: { readonly distribution: Distribution }) {
  const { to } = useApp();
  const { case: name, configuration } = distribution.row.case;
  return (
    <tr>
      <th scope="row">
        <a href={to("trends", { s: `${name}@${configuration}`, metric: RATED })}>
          {variantName(distribution.row.case)}
        </a>{" "}
        <span class="quiet">{oneLine(distribution.row.case.boot)}</span>
      </th>
      <td>{quantity(distribution.offered_rps, "rps")}</td>
      {PERCENTS.map((percent) => (
        <Latencies key={percent} distribution={distribution} percent={percent} />
      ))}
    </tr>
  );
}

function Latencies({
  distribution,
  percent,
}: {
  readonly distribution: Distribution;
  readonly percent: number;
}) {
  const value = latencyAt(distribution, percent);
  return (
    <td>
      {quantity(value?.median, "s")}
      <Range value={value} unit="s" />
    </td>
  );
}

/** A row for each percentile that was reported. */
function fieldsOf({ row, offered_rps, forks, points }: Distribution): readonly Fields[] {
  return points.map(({ percent, value }) => ({
    case: row.case.case,
    configuration: row.case.configuration,
    run: row.run,
    offered_rps,
    forks,
    percent,
    latency_s: value.median,
    latency_least_s: value.low,
    latency_most_s: value.high,
  }));
}
