/** Events as a table: a line each, which leads to all that is known of it. */

import { useApp, useWords } from "../../app/context";
import { affected_seriesOf } from "../../data/changes";
import type { Event, EventChange } from "../../data/contract";
import { Commit } from "../../parts/commit";
import { EventState } from "../../parts/event_state";
import { IntervalPicture, reachOf } from "../../parts/interval_picture";
import { TableHead } from "../../parts/table_head";
import { change, date, metricName, oneLine, subject, unbroken } from "../../words/format";
import { Direction } from "./direction";
import { regressionWords } from "./words";

export function EventTable({ events }: { readonly events: readonly Event[] }) {
  const text = useWords(regressionWords);
  const lines = events.map((event) => ({ event, changes: event.changes ?? [] }));
  const reach = reachOf(lines.map(({ changes: [first] }) => (first ? edgesOf(first) : null)));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard
    <section class="scroll" tabIndex={0} aria-label={text("title")}>
      <table class="events">
        <TableHead
          heads={[
            { words: text("col.shared") },
            { words: text("col.size"), kind: "text" },
            { words: text("col.picture"), kind: "in-picture" },
            { words: text("col.since"), kind: "text" },
            { words: text("col.series") },
          ]}
        />
        <tbody>
          {lines.map(({ event, changes }) => (
            <Line key={event.id} event={event} changes={changes} reach={reach} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

interface Props {
  readonly event: Event;
  readonly changes: readonly EventChange[];
  readonly reach: number;
}

function Line({ event, changes, reach }: Props) {
  const { query, to } = useApp();
  const text = useWords(regressionWords);
  const [first] = changes;
  const opened = { ...Object.fromEntries(query), event: event.id };
  return (
    <tr>
      <th scope="row" class="shared">
        <a href={to("regressions", opened)}>{oneLine(event.shared)}</a>
        <span class="fate">
          <EventState event={event} /> <Direction direction={event.direction} />
        </span>
      </th>
      <td class="text size">
        {first && <Size eventChange={first} />}
        {changes.length > 1 && (
          <span class="below quiet">{text("more-metrics", { count: changes.length - 1 })}</span>
        )}
      </td>
      <td class="in-picture">
        {first && (
          <IntervalPicture reach={reach} {...edgesOf(first)} changed={event.state !== "rejected"} />
        )}
      </td>
      <td class="text since">
        <ChangePoint event={event} />
      </td>
      <td>{affected_seriesOf(event)}</td>
    </tr>
  );
}

function edgesOf({ ratio, low_ratio: low, high_ratio: high }: EventChange) {
  return { ratio, low, high };
}

function Size({ eventChange }: { readonly eventChange: EventChange }) {
  const { say } = useApp();
  const edges = { low: change(eventChange.low_ratio), high: change(eventChange.high_ratio) };
  return (
    <>
      {metricName(eventChange.metric, say)} <strong>{unbroken(change(eventChange.ratio))}</strong>
      <span class="below quiet">{say("interval.range", edges)}</span>
    </>
  );
}

/** The commit, or the range that it lies in, and what its first line says. */
function ChangePoint({ event: { culprit, kind } }: { readonly event: Event }) {
  const exact = culprit.exact === true && kind === "step";
  return (
    <>
      {!exact && (
        <>
          <Commit sha={culprit.before.sha} /> …{" "}
        </>
      )}
      <Commit sha={culprit.after.sha} /> {date(culprit.after.time)}
      <span class="below quiet">{oneLine(subject(culprit.after.message, 40))}</span>
    </>
  );
}
