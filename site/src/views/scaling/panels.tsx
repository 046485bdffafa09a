/** The charts: throughput large, latency and memory beside each other below it. */

import { useMemo } from "preact/hooks";
import { useApp, useWords } from "../../app/context";
import type { Colours } from "../../charts/colours";
import { EChart, type Size } from "../../charts/echart";
import { type ScalingPicture, scalingOption } from "../../charts/scaling_option";
import { distinct } from "../../data/cases";
import type { MetricRow } from "../../data/contract";
import { bottleneckWords, known, markWords } from "../../parts/marks";
import { metricName, quantity } from "../../words/format";
import type { Say } from "../../words/words";
import { shapeOf } from "./bottlenecks";
import { pointsOf, type ScaledVariant, SECONDARY_METRICS, theoreticalMaxOf } from "./curves";
import { scalingWords } from "./words";

const THROUGHPUT = "throughput_rps";

interface Props {
  readonly variants: readonly ScaledVariant[];
  readonly workload: string;
}

export function Panels({ variants, workload }: Props) {
  const { index } = useApp();
  const measured = (name: string) => index.metrics.filter((metric) => metric.name === name);
  return (
    <>
      <ScaleSwitch />
      {measured(THROUGHPUT).map((metric) => (
        <Panel key={metric.name} {...{ metric, variants, workload }} large />
      ))}
      <Bottlenecks variants={variants} />
      <div class="panels">
        {SECONDARY_METRICS.flatMap(measured).map((metric) => (
          <Panel key={metric.name} {...{ metric, variants, workload }} />
        ))}
      </div>
    </>
  );
}

/** Logarithms by default: a doubling is then as far everywhere, and the theoretical maximum a straight line. */
function ScaleSwitch() {
  const { query, choose } = useApp();
  const text = useWords(scalingWords);
  const linear = query.get("scale") === "linear";
  return (
    <fieldset class="scale">
      <legend class="hidden">{text("scale")}</legend>
      <button type="button" aria-pressed={!linear} onClick={() => choose({ scale: undefined })}>
        {text("scale.log")}
      </button>
      <button type="button" aria-pressed={linear} onClick={() => choose({ scale: "linear" })}>
        {text("scale.linear")}
      </button>
    </fieldset>
  );
}

interface PanelProps extends Props {
  readonly metric: MetricRow;
  readonly large?: boolean;
}

function Panel({ metric, variants, workload, large = false }: PanelProps) {
  const { query, say, language } = useApp();
  const text = useWords(scalingWords);
  const log = query.get("scale") !== "linear";
  const key = variants.map(({ id }) => id).join(" ");
  const option = useMemo(() => {
    const picture = pictureOf(variants, metric, log, say, text("theoreticalMax"));
    return (palette: Colours, size: Size) => scalingOption(picture, palette, size);
  }, [key, workload, metric, log, language]);
  if (variants.every((variant) => pointsOf(variant, metric.name).length === 0)) return null;
  const title = text("panel", {
    metric: metricName(metric.name, say),
    workload: known("workload", workload, say),
  });
  return (
    <figure class={large ? "panel large" : "panel"} style={{ "--curves": variants.length + 1 }}>
      <figcaption>
        <strong>{title}</strong>
        <span class="quiet">{text(large ? "panel.throughput" : `better.${metric.better}`)}</span>
      </figcaption>
      <EChart label={text("panel.label", { title })} option={option} />
    </figure>
  );
}

export function pictureOf(
  variants: readonly ScaledVariant[],
  { name, unit }: MetricRow,
  log: boolean,
  say: Say,
  theoreticalMax: string,
): ScalingPicture {
  const write = (value: number) => quantity(value, unit);
  return {
    log,
    step: unit === "bytes" ? 2 ** 20 : 1,
    name: say("axis.connections"),
    count: (value) => quantity(value, "count"),
    write,
    theoreticalMax: {
      name: theoreticalMax,
      points: name === THROUGHPUT ? theoreticalMaxOf(variants) : [],
    },
    curves: variants.map((variant) => ({
      name: variant.name,
      colour: variant.colour,
      dash: variant.dash,
      points: pointsOf(variant, name).map(({ row, value }) => ({
        x: row.case.connections,
        y: value.median,
        symbol: shapeOf(row.bottleneck).symbol,
        words: [
          `${quantity(row.case.connections, "count")}: ${write(value.median)}`,
          value.forks > 1
            ? say("interval.range", { low: write(value.low), high: write(value.high) })
            : "",
          bottleneckWords(row.bottleneck, say),
          markWords(row.marks, say),
        ].filter(Boolean),
      })),
    })),
  };
}

/** What the shapes of the points mean: only those that are seen. */
function Bottlenecks({ variants }: { readonly variants: readonly ScaledVariant[] }) {
  const { say } = useApp();
  const text = useWords(scalingWords);
  const bottlenecks = distinct(
    variants.flatMap(({ rows }) => rows.flatMap((row) => row.bottleneck ?? [])),
  );
  const runtimes = distinct(variants.map(({ rows: [first] }) => first?.case.runtime));
  return (
    <p class="bounds quiet">
      {text("bottlenecks")}{" "}
      {bottlenecks.map((bottleneck) => (
        <span key={bottleneck} class="bottleneck">
          <span aria-hidden="true">{shapeOf(bottleneck).letter}</span>{" "}
          {bottleneckWords(bottleneck, say)}
        </span>
      ))}{" "}
      {runtimes.length > 1 && text("dashes")}
    </p>
  );
}
