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
  const text = useWords(regressionWords);
  const {
    environment_change: environmentChange,
    moved,
    fixed_by: fixedBy,
    last_measured: last,
  } = event;
  return (
    <>
      {harness !== null && event.state === "suspected" ? (
        <p>{text("reported", { harness: oneLine(harness) })}</p>
      ) : (
        <p>{text(`means.${event.state}`)}</p>
      )}
      {last && <p>{text("last-measured", { run: oneLine(last.run), date: date(last.time) })}</p>}
      {event.acknowledgement && <Reason acknowledgement={event.acknowledgement} />}
      {fixedBy && <Other label={text("fixed-by")} id={fixedBy} />}
      {moved && <Other label={text("moved")} id={moved} />}
      <Explanations event={event} />
      {environmentChange && (
        <div class="notice" role="note">
          <strong>
            {text("environment_change", { environment_change: oneLine(environmentChange) })}
          </strong>
          <p>{text("environment_change.text")}</p>
        </div>
      )}
    </>
  );
}

function Reason({
  acknowledgement,
}: {
  readonly acknowledgement: NonNullable<Event["acknowledgement"]>;
}) {
  const text = useWords(regressionWords);
  return (
    <blockquote>
      <p>{oneLine(acknowledgement.reason)}</p>
      {acknowledgement.by && (
        <footer>{text("reason.by", { by: oneLine(acknowledgement.by) })}</footer>
      )}
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
