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
  const own = useWords(latencyWords);
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard */}
      <section class="scroll" tabIndex={0} aria-label={own("table")}>
        <table class="latency">
          <TableHead
            heads={[
              { words: own("col.variant") },
              { words: own("col.offered") },
              ...PERCENTS.map((percent) => ({ words: `${percent} %` })),
            ]}
          />
          <tbody>
            {shown.map((each) => (
              <Line key={`${each.row.case.case}@${each.row.case.configuration}`} of={each} />
            ))}
          </tbody>
        </table>
      </section>
      <p class="quiet">{own("table.meaning")}</p>
      <Downloads
        name={`latency-${rate}`}
        rows={() => shown.flatMap(fieldsOf)}
        picture={async (kind) => {
          const { scalingFile } = await import("../../charts/scaling_file");
          const caption = { title: own(`chart.${rate}`), subtitle: own("chart.short") };
          return scalingFile(kind, pictureOf(shown, own("axis"), say), caption);
        }}
      />
    </>
  );
}

function Line({ of }: { readonly of: Distribution }) {
  const { to } = useApp();
  const { case: name, configuration } = of.row.case;
  return (
    <tr>
      <th scope="row">
        <a href={to("trends", { s: `${name}@${configuration}`, metric: RATED })}>
          {variantName(of.row.case)}
        </a>{" "}
        <span class="quiet">{oneLine(of.row.case.boot)}</span>
      </th>
      <td>{quantity(of.offered_rps, "rps")}</td>
      {PERCENTS.map((percent) => (
        <Latencies key={percent} of={of} percent={percent} />
      ))}
    </tr>
  );
}

function Latencies({ of, percent }: { readonly of: Distribution; readonly percent: number }) {
  const value = latencyAt(of, percent);
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
