/**
 * The least step that is enough, of each subject: a bar from the step below it. A list, so that it
 * reads without a picture too.
 */

import "./ratio_chart.css";
import { useApp, useWords } from "../../app/context";
import type { PublishedAnswer, PublishedCliff } from "../../data/answers";
import { oneLine } from "../../words/format";
import { cliffSpan, ladderTicks } from "./cliffs";
import { stepName } from "./names";
import { answerWords } from "./words";

interface Props {
  readonly answer: PublishedAnswer;
}

export function CliffChart({ answer }: Props) {
  const { language } = useApp();
  const text = useWords(answerWords);
  return (
    <figure class="ratios">
      <figcaption>
        <strong>{text("cliffs.title")}</strong> <span class="quiet">{text("better.lower")}</span>
      </figcaption>
      <ul>
        {(answer.cliffs ?? []).map((cliff) => (
          <Line key={cliff.subject} {...{ answer, cliff }} />
        ))}
      </ul>
      <p class="axis" aria-hidden="true">
        <span class="name" />
        <span class="track">
          {ladderTicks(answer).map(({ step, position }) => (
            <span key={step} style={{ left: percent(position) }}>
              {stepName(answer, step, language)}
            </span>
          ))}
        </span>
        <span class="said" />
      </p>
      <p class="quiet key">{text("cliffs.key")}</p>
    </figure>
  );
}

function Line({ answer, cliff }: Props & { readonly cliff: PublishedCliff }) {
  const { language } = useApp();
  const text = useWords(answerWords);
  const span = cliffSpan(answer, cliff);
  const name = (step: string) => stepName(answer, step, language);
  const found =
    cliff.high == null
      ? text("cliffs.nowhere")
      : cliff.low == null
        ? text("cliffs.least", { high: name(cliff.high) })
        : text("cliffs.between", { low: name(cliff.low), high: name(cliff.high) });
  return (
    <li class={cliff.leaning == null && cliff.undecided == null ? "better" : "same"}>
      <span class="name">{oneLine(cliff.subject)}</span>
      <span class="track" aria-hidden="true">
        {span !== null && (
          <>
            <span
              class="range"
              style={{ left: percent(span.from), width: percent(span.to - span.from) }}
            />
            <span class="dot" style={{ left: percent(span.to) }} />
          </>
        )}
      </span>
      <span class="said">
        {found}
        {cliff.undecided != null && (
          <span class="quiet" lang="en">
            {" "}
            ({oneLine(cliff.undecided)})
          </span>
        )}
        {cliff.leaning != null && cliff.undecided == null && (
          <span class="quiet"> ({text("cliffs.leaning", { step: name(cliff.leaning) })})</span>
        )}
      </span>
    </li>
  );
}

function percent(share: number): string {
  return `${(100 * share).toFixed(2)}%`;
}
