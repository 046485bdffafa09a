/** What got slower and is not settled: on top, since it is why a maintainer comes. */

import { useApp, useWords } from "../../app/context";
import type { Event } from "../../data/contract";
import { Commit } from "../../parts/commit";
import { EventState } from "../../parts/event_state";
import { change, date, metricName, oneLine } from "../../words/format";
import { overviewWords } from "./words";

const OPEN: ReadonlySet<string> = new Set(["suspected", "confirmed"]);
const SHOWN = 5;

export function OpenRegressions() {
  const { index, to } = useApp();
  const text = useWords(overviewWords);
  const open = (index.events ?? []).filter(
    ({ direction, state }) => direction === "regression" && OPEN.has(state),
  );
  if (open.length === 0) return <p class="fine">{text("no-regressions")}</p>;
  return (
    <section class="alerts" aria-labelledby="open-regressions">
      <h2 id="open-regressions">{text("regressions", { count: open.length })}</h2>
      <ul>
        {open.slice(0, SHOWN).map((event) => (
          <li key={event.id}>
            <Line event={event} />
          </li>
        ))}
      </ul>
      {open.length > SHOWN && (
        <p>
          <a href={to("regressions")}>{text("all-regressions", { count: open.length })}</a>
        </p>
      )}
    </section>
  );
}

function Line({ event }: { readonly event: Event }) {
  const { say, to } = useApp();
  const [affected] = event.affected_series;
  return (
    <>
      <a href={to("regressions", { event: event.id })}>
        <strong>{oneLine(event.shared)}</strong>
      </a>
      {affected && `: ${metricName(affected.metric, say)} ${change(affected.ratio)}`},{" "}
      <Commit sha={event.culprit.after.sha} /> {date(event.culprit.after.time)}{" "}
      <EventState event={event} />
    </>
  );
}
