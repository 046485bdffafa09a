/** What became of an event, and what else one has to know before one believes it. */

import { useApp, useWords } from "../../app/context";
import type { Event } from "../../data/contract";
import { Commit } from "../../parts/commit";
import { Explanations } from "../../parts/explanations";
import { date, oneLine } from "../../words/format";
import { eventNamed } from "./filter";
import { regressionWords } from "./words";

interface Props {
  readonly event: Event;
  /** The other harness that has measured it, which nothing confirms. */
  readonly harness: string | null;
}

export function Fate({ event, harness }: Props) {
  const own = useWords(regressionWords);
  const {
    environment_change: environmentChange,
    moved,
    fixed_by: fixedBy,
    last_measured: last,
  } = event;
  return (
    <>
      {harness !== null && event.state === "suspected" ? (
        <p>{own("reported", { harness: oneLine(harness) })}</p>
      ) : (
        <p>{own(`means.${event.state}`)}</p>
      )}
      {last && <p>{own("last-measured", { run: oneLine(last.run), date: date(last.time) })}</p>}
      {event.acknowledgement && <Reason of={event.acknowledgement} />}
      {fixedBy && <Other label={own("fixed-by")} id={fixedBy} />}
      {moved && <Other label={own("moved")} id={moved} />}
      <Explanations of={event} />
      {environmentChange && (
        <div class="notice" role="note">
          <strong>
            {own("environment_change", { environment_change: oneLine(environmentChange) })}
          </strong>
          <p>{own("environment_change.text")}</p>
        </div>
      )}
    </>
  );
}

function Reason({ of }: { readonly of: NonNullable<Event["acknowledgement"]> }) {
  const own = useWords(regressionWords);
  return (
    <blockquote>
      <p>{oneLine(of.reason)}</p>
      {of.by && <footer>{own("reason.by", { by: oneLine(of.by) })}</footer>}
    </blockquote>
  );
}

/** Another event, and where it begins. */
function Other({ label, id }: { readonly label: string; readonly id: string }) {
  const { index, to } = useApp();
  const other = eventNamed(index, id);
  return (
    <p>
      {label}{" "}
      {other === null ? (
        <code>{oneLine(id)}</code>
      ) : (
        <>
          <a href={to("regressions", { event: other.id })}>{oneLine(other.shared)}</a>,{" "}
          <Commit sha={other.culprit.after.sha} />
        </>
      )}
    </p>
  );
}
