/** The numbers behind the charts. */

import { useApp, useWords } from "../../app/context";
import type { MetricRow } from "../../data/contract";
import type { LatestRow } from "../../data/latest";
import { declared } from "../../data/metrics";
import { Downloads } from "../../parts/downloads";
import { bottleneckWords, known } from "../../parts/marks";
import { TableHead } from "../../parts/table_head";
import { ABSENT, metricName, quantity } from "../../words/format";
import { shapeOf } from "./bottlenecks";
import { rateOf, type ScaledVariant, SECONDARY_METRICS } from "./curves";
import { fieldsOf } from "./exported";
import { pictureOf } from "./panels";
import { scalingWords } from "./words";

interface Props {
  readonly variants: readonly ScaledVariant[];
  readonly workload: string;
}

export function ScalingTable({ variants, workload }: Props) {
  const { say, index, query } = useApp();
  const text = useWords(scalingWords);
  const rate = index.metrics.find(({ name }) => name === "throughput_rps");
  const theoreticalMax = variants.some(({ rows }) => rows.some((row) => row.theoretical_max_rps));
  const picture = async (kind: "png" | "svg") => {
    const { scalingFile } = await import("../../charts/scaling_file");
    const [metric, named] = [metricName("throughput_rps", say), known("workload", workload, say)];
    const caption = {
      title: text("panel", { metric, workload: named }),
      subtitle: text("panel.throughput"),
    };
    const log = query.get("scale") !== "linear";
    return scalingFile(
      kind,
      pictureOf(variants, rate as MetricRow, log, say, text("theoreticalMax")),
      caption,
    );
  };
  return (
    <>
      <details>
        <summary>{text("table")}</summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard */}
        <section class="scroll tall" tabIndex={0} aria-label={text("table")}>
          <table>
            <TableHead
              heads={[
                { words: text("col.variant") },
                { words: say("axis.connections") },
                { words: metricName("throughput_rps", say) },
                { words: text("col.interval") },
                ...(theoreticalMax ? [{ words: text("col.of-theoreticalMax") }] : []),
                { words: text("col.bottleneck"), kind: "text" },
                ...SECONDARY_METRICS.map((name) => ({ words: metricName(name, say) })),
              ]}
            />
            <tbody>
              {variants.flatMap((variant) =>
                variant.rows.map((row) => (
                  <Line
                    key={`${row.case.case}@${row.case.configuration}`}
                    {...{ name: variant.name, row, theoreticalMax }}
                  />
                )),
              )}
            </tbody>
          </table>
        </section>
      </details>
      <Downloads
        name={`scaling-${workload.replace(/[^\w-]/g, "-")}`}
        rows={variants.flatMap(({ rows }) => rows.map(fieldsOf))}
        {...(rate && { picture })}
      />
    </>
  );
}

interface LineProps {
  readonly name: string;
  readonly row: LatestRow;
  readonly theoreticalMax: boolean;
}

function Line({ name, row, theoreticalMax }: LineProps) {
  const { say, to } = useApp();
  const { case: caseRow, status, bottleneck, interval } = row;
  const edges = interval && {
    low: quantity(interval.low, "rps"),
    high: quantity(interval.high, "rps"),
  };
  const share = row.theoretical_max_rps
    ? quantity(rateOf(row) / row.theoretical_max_rps, "ratio")
    : ABSENT;
  return (
    <tr>
      <th scope="row">
        <a href={to("trends", { s: `${caseRow.case}@${caseRow.configuration}` })}>{name}</a>
      </th>
      <td>{quantity(caseRow.connections, "count")}</td>
      {status === "ok" ? (
        <>
          <td>{quantity(row.median["throughput_rps"], "rps")}</td>
          <td>{edges ? say("interval.range", edges) : ABSENT}</td>
          {theoreticalMax && <td>{share}</td>}
          <td class="text">
            <span aria-hidden="true">{shapeOf(bottleneck).letter}</span>{" "}
            {bottleneckWords(bottleneck, say)}
          </td>
          {SECONDARY_METRICS.map((name) => (
            <td key={name}>{quantity(row.median[name], declared(name)?.unit ?? "count")}</td>
          ))}
        </>
      ) : (
        <td class="text bad" colSpan={SECONDARY_METRICS.length + (theoreticalMax ? 4 : 3)}>
          {known("status", status, say)}
        </td>
      )}
    </tr>
  );
}
