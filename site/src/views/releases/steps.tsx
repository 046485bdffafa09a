/** The steps that were found between releases, as a table. */

import { useApp, useWords } from "../../app/context";
import type { Event } from "../../data/contract";
import { EventState } from "../../parts/event_state";
import { Explanations } from "../../parts/explanations";
import { TableHead } from "../../parts/table_head";
import { change, metricName, oneLine, unbroken } from "../../words/format";
import { type Step, stepsOf } from "./found";
import { releaseWords } from "./words";

export function Steps({ cases }: { readonly cases: ReadonlySet<string> }) {
  const { index, row } = useApp();
  const text = useWords(releaseWords);
  const steps = stepsOf(index.events ?? [], cases, row.class);
  return (
    <section aria-labelledby="steps">
      <h2 id="steps">{text("steps")}</h2>
      {steps.length === 0 ? (
        <p class="blank">{text("steps.none")}</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard
        <section class="scroll" tabIndex={0} aria-label={text("steps")}>
          <table class="steps">
            <TableHead
              heads={[
                { words: text("col.release") },
                { words: text("col.what"), kind: "text" },
                { words: text("col.size"), kind: "text" },
                { words: text("col.state"), kind: "text" },
              ]}
            />
            <tbody>
              {steps.map((step) => (
                <Line key={step.event.id} step={step} />
              ))}
            </tbody>
          </table>
        </section>
      )}
    </section>
  );
}

function Line({ step: { event, before, after } }: { readonly step: Step }) {
  const { to } = useApp();
  const text = useWords(releaseWords);
  return (
    <tr>
      <th scope="row">
        <a href={to("regressions", { event: event.id, state: "all" })}>
          {text("between", { before: oneLine(before), after: oneLine(after) })}
        </a>
      </th>
      <td class="text">
        {oneLine(event.shared)}
        <Explanations event={event} />
      </td>
      <td class="text">
        <Sizes event={event} />
      </td>
      <td class="text">
        <EventState event={event} />
      </td>
    </tr>
  );
}

/** How large a step is, metric by metric. */
function Sizes({ event }: { readonly event: Event }) {
  const { say } = useApp();
  return (
    <>
      {(event.changes ?? []).map(({ metric, ratio, low_ratio: low, high_ratio: high }) => (
        <span class="size" key={metric}>
          {metricName(metric, say)} <strong>{unbroken(change(ratio))}</strong>{" "}
          <span class="quiet">
            {say("interval.range", { low: change(low), high: change(high) })}
          </span>
        </span>
      ))}
    </>
  );
}
