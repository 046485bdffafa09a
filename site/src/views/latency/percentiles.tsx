/** The chart: each nine of the percentiles takes as much room as the one before. */

import { useMemo } from "preact/hooks";
import { useApp, useWords } from "../../app/context";
import type { Colours } from "../../charts/colours";
import { EChart, type Size } from "../../charts/echart";
import { lookOf } from "../../charts/looks";
import { type ScalingPicture, scalingOption } from "../../charts/scaling_option";
import { type Distribution, percentAt, positionOf, type Rate } from "../../data/distributions";
import { namesApart } from "../../parts/names";
import { quantity } from "../../words/format";
import type { Say } from "../../words/words";
import { latencyWords } from "./words";

interface Props {
  readonly shown: readonly Distribution[];
  readonly rate: Rate;
}

/** Below it all latencies are much alike, and nobody asks. */
const FIRST = 50;

export function Percentiles({ shown, rate }: Props) {
  const { say, language } = useApp();
  const text = useWords(latencyWords);
  const key = shown.map(({ row }) => `${row.case.case}@${row.case.configuration}`).join(" ");
  const option = useMemo(() => {
    const picture = pictureOf(shown, text("axis"), say);
    return (palette: Colours, size: Size) => scalingOption(picture, palette, size);
  }, [key, rate, language]);
  const title = text(`chart.${rate}`);
  return (
    <figure class="latency-chart" style={{ "--curves": shown.length }}>
      <figcaption>
        <strong>{title}</strong> <span class="quiet">{text("chart.meaning")}</span>
      </figcaption>
      <EChart label={text("chart.label", { title })} option={option} />
    </figure>
  );
}

export function pictureOf(shown: readonly Distribution[], axis: string, say: Say): ScalingPicture {
  const names = namesApart(shown.map(({ row }) => row.case));
  return {
    log: true,
    step: 1,
    name: axis,
    count: (position) => `${percentAt(position)} %`,
    write: (value) => quantity(value, "s"),
    theoreticalMax: { name: "", points: [] },
    curves: shown.map((distribution, at) => {
      const { colour, dash, symbol } = lookOf(at + 1);
      return {
        name: names[at] ?? "",
        colour,
        dash,
        points: distribution.points
          .filter(({ percent }) => percent >= FIRST)
          .map(({ percent, value }) => ({
            x: positionOf(percent),
            y: value.median,
            symbol,
            words: [
              `${percent} %: ${quantity(value.median, "s")}`,
              value.forks > 1
                ? say("interval.range", {
                    low: quantity(value.low, "s"),
                    high: quantity(value.high, "s"),
                  })
                : "",
            ].filter(Boolean),
          })),
      };
    }),
  };
}
