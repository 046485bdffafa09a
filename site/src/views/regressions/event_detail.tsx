/** One event: what changed, since when, how sure, what became of it, and how to see it again. */

import { useApp, useWords } from "../../app/context";
import { caseNamed } from "../../data/cases";
import type { Event } from "../../data/contract";
import { harnessesOf } from "../../data/reported";
import { EventState } from "../../parts/event_state";
import { change, metricName, oneLine } from "../../words/format";
import { AffectedSeriesTable } from "./affected_series_table";
import { CulpritSection } from "./culprit";
import { Direction } from "./direction";
import { EvidenceSection } from "./evidence";
import { Fate } from "./fate";
import { Feed } from "./feed";
import { eventNamed } from "./filter";
import { pictureOf } from "./picture";
import { commandsOf } from "./reproduce";
import { regressionWords } from "./words";

export function EventDetail({ id }: { readonly id: string }) {
  const { index } = useApp();
  const text = useWords(regressionWords);
  const event = eventNamed(index, id);
  return (
    <>
      <BackLink />
      {event === null ? (
        <>
          <h1>{text("title")}</h1>
          <div class="notice" role="alert">
            <strong>{text("gone", { id: oneLine(id.slice(0, 120)) })}</strong>
            <p>{text("gone.remedy")}</p>
          </div>
        </>
      ) : (
        <EventSections event={event} />
      )}
    </>
  );
}

/** To the list as it was narrowed. */
function BackLink() {
  const { query, to } = useApp();
  const text = useWords(regressionWords);
  const { event: _, ...filters } = Object.fromEntries(query);
  return (
    <p class="back">
      <a href={to("regressions", filters)}>← {text("back")}</a>
    </p>
  );
}

function EventSections({ event }: { readonly event: Event }) {
  const { index } = useApp();
  const affected = event.affected_series.map((series) => caseNamed(index, series.case));
  const [harness] = harnessesOf(affected);
  return (
    <>
      <h1>{oneLine(event.shared)}</h1>
      <p class="pills">
        <EventState event={event} /> <Direction direction={event.direction} />
      </p>
      <Sentences event={event} />
      <Fate event={event} harness={harness ?? null} />
      <CulpritSection event={event} harness={harness ?? null} />
      <Picture event={event} />
      <AffectedSeriesTable event={event} />
      {harness === undefined && <EvidenceSection event={event} />}
      {harness === undefined && <ReproductionCommands event={event} />}
      <p class="quiet">
        <Feed />
      </p>
    </>
  );
}

/** What changed, a line for each metric. */
function Sentences({ event }: { readonly event: Event }) {
  const { say } = useApp();
  const text = useWords(regressionWords);
  return (
    <ul class="changes">
      {(event.changes ?? []).map(({ metric, ratio, low_ratio: low, high_ratio: high, series }) => (
        <li key={metric}>
          {metricName(metric, say)} <strong>{change(ratio)}</strong>{" "}
          <span class="quiet">
            {text(series > 1 ? "within.series" : "within.interval", {
              low: change(low),
              high: change(high),
              count: series,
            })}
          </span>
        </li>
      ))}
    </ul>
  );
}

function Picture({ event }: { readonly event: Event }) {
  const text = useWords(regressionWords);
  const address = pictureOf(event);
  if (address === null) return null;
  return (
    <figure class="published">
      <figcaption>
        <strong>{text("picture")}</strong>
      </figcaption>
      <img
        src={address}
        width={720}
        height={240}
        alt={text("picture.alt", { what: oneLine(event.shared) })}
        // a history of before has none
        onError={({ currentTarget }) => currentTarget.closest("figure")?.remove()}
      />
    </figure>
  );
}

function ReproductionCommands({ event }: { readonly event: Event }) {
  const text = useWords(regressionWords);
  const commands = commandsOf(event);
  if (commands.length === 0) return null;
  return (
    <section aria-labelledby="again">
      <h2 id="again">{text("again")}</h2>
      <pre>
        <code>{commands.join("\n")}</code>
      </pre>
    </section>
  );
}
