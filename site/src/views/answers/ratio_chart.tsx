/**
 * How far each step lies from the baseline: a dot with its interval on a logarithmic axis. A list, so
 * that it reads without a picture too.
 */

import "./ratio_chart.css";
import { useApp, useWords } from "../../app/context";
import type { PublishedAnswer } from "../../data/answers";
import { grouped } from "../../data/group";
import { declared } from "../../data/metrics";
import { metricName, oneLine } from "../../words/format";
import { type Dot, dotsOf, ratioWords, type Scale, scaleOf, shareWords } from "./dots";
import { stepName } from "./names";
import { answerWords } from "./words";

interface Props {
  readonly answer: PublishedAnswer;
  readonly metric: string;
}

export function RatioChart({ answer, metric }: Props) {
  const { say, language } = useApp();
  const text = useWords(answerWords);
  const dots = dotsOf(answer, metric);
  const scale = scaleOf(dots);
  const baseline = stepName(answer, answer.baseline, language);
  const better = text(`better.${declared(metric)?.better ?? "higher"}`);
  return (
    <figure class="ratios">
      <figcaption>
        <strong>{text("chart.title", { metric: metricName(metric, say), baseline })}</strong>{" "}
        <span class="quiet">{better}</span>
      </figcaption>
      {[...grouped(dots, ({ row }) => row.subject)].map(([subject, same]) => (
        <div key={subject} class="subject">
          {subject !== "" && <p>{oneLine(subject)}</p>}
          <ul>
            {same.map((dot) => (
              <Line
                key={dot.row.step}
                dot={dot}
                scale={scale}
                name={stepName(answer, dot.row.step, language)}
              />
            ))}
          </ul>
        </div>
      ))}
      <Axis scale={scale} />
      <p class="quiet key">{text(answer.rounds > 1 ? "chart.key" : "chart.key-once")}</p>
    </figure>
  );
}

interface LineProps {
  readonly dot: Dot;
  readonly scale: Scale;
  readonly name: string;
}

function Line({ dot: { row, ratio, tone }, scale, name }: LineProps) {
  const text = useWords(answerWords);
  const valueText =
    ratio !== null
      ? ratioWords(ratio)
      : text(row.failed ? "failed" : row.not_measured ? "not-measured" : "not-compared");
  return (
    <li class={tone}>
      <span class="name">{name}</span>
      <span class="track" aria-hidden="true">
        <span class="base" style={{ left: percent(scale.positionOf(1)) }} />
        {ratio !== null && <Mark {...{ ratio, scale }} />}
      </span>
      <span class="said">
        {valueText}
        {ratio?.verdict === "once" && <span class="quiet">, {text("once")}</span>}
      </span>
    </li>
  );
}

function Mark({
  ratio,
  scale,
}: {
  readonly ratio: NonNullable<Dot["ratio"]>;
  readonly scale: Scale;
}) {
  const { low, high } = ratio;
  const from = scale.positionOf(low ?? ratio.ratio);
  const to = scale.positionOf(high ?? ratio.ratio);
  return (
    <>
      {low != null && high != null && (
        <span class="range" style={{ left: percent(from), width: percent(to - from) }} />
      )}
      <span class="dot" style={{ left: percent(scale.positionOf(ratio.ratio)) }} />
    </>
  );
}

function Axis({ scale: { positionOf, ticks } }: { readonly scale: Scale }) {
  return (
    <p class="axis" aria-hidden="true">
      <span class="name" />
      <span class="track">
        {ticks.map((tick) => (
          <span key={tick} style={{ left: percent(positionOf(tick)) }}>
            {oneLine(`${shareWords(tick, 2)} %`)}
          </span>
        ))}
      </span>
      <span class="said" />
    </p>
  );
}

function percent(share: number): string {
  return `${(100 * share).toFixed(2)}%`;
}
