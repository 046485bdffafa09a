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
import { BESIDE, rateOf, type ScaledVariant } from "./curves";
import { fieldsOf } from "./exported";
import { pictureOf } from "./panels";
import { scalingWords } from "./words";

interface Props {
  readonly variants: readonly ScaledVariant[];
  readonly workload: string;
}

export function ScalingTable({ variants, workload }: Props) {
  const { say, index, asked } = useApp();
  const own = useWords(scalingWords);
  const rate = index.metrics.find(({ name }) => name === "throughput_rps");
  const theoreticalMax = variants.some(({ rows }) => rows.some((row) => row.theoretical_max_rps));
  const picture = async (kind: "png" | "svg") => {
    const { scalingFile } = await import("../../charts/scaling_file");
    const [metric, named] = [metricName("throughput_rps", say), known("workload", workload, say)];
    const caption = {
      title: own("panel", { metric, workload: named }),
      subtitle: own("panel.throughput"),
    };
    const log = asked.get("scale") !== "linear";
    return scalingFile(
      kind,
      pictureOf(variants, rate as MetricRow, log, say, own("theoreticalMax")),
      caption,
    );
  };
  return (
    <>
      <details>
        <summary>{own("table")}</summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard */}
        <section class="scroll tall" tabIndex={0} aria-label={own("table")}>
          <table>
            <TableHead
              heads={[
                { words: own("col.variant") },
                { words: say("axis.connections") },
                { words: metricName("throughput_rps", say) },
                { words: own("col.interval") },
                ...(theoreticalMax ? [{ words: own("col.of-theoreticalMax") }] : []),
                { words: own("col.bottleneck"), kind: "text" },
                ...BESIDE.map((name) => ({ words: metricName(name, say) })),
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
  const { case: of, status, bottleneck, interval } = row;
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
        <a href={to("trends", { s: `${of.case}@${of.configuration}` })}>{name}</a>
      </th>
      <td>{quantity(of.connections, "count")}</td>
      {status === "ok" ? (
        <>
          <td>{quantity(row.median["throughput_rps"], "rps")}</td>
          <td>{edges ? say("interval.range", edges) : ABSENT}</td>
          {theoreticalMax && <td>{share}</td>}
          <td class="text">
            <span aria-hidden="true">{shapeOf(bottleneck).letter}</span>{" "}
            {bottleneckWords(bottleneck, say)}
          </td>
          {BESIDE.map((name) => (
            <td key={name}>{quantity(row.median[name], declared(name)?.unit ?? "count")}</td>
          ))}
        </>
      ) : (
        <td class="text bad" colSpan={BESIDE.length + (theoreticalMax ? 4 : 3)}>
          {known("status", status, say)}
        </td>
      )}
    </tr>
  );
}
