/** The commit that an event begins with, or the range that it lies in. */

import { useApp, useWords } from "../../app/context";
import type { Event } from "../../data/contract";
import { compareAddress } from "../../data/links";
import { Commit } from "../../parts/commit";
import { moment, oneLine } from "../../words/format";
import { regressionWords } from "./words";

interface Props {
  readonly event: Event;
  readonly harness: string | null;
}

export function CulpritSection({ event, harness }: Props) {
  const { repository, to } = useApp();
  const own = useWords(regressionWords);
  const { before, after, exact } = event.culprit;
  const changes = compareAddress(repository, before.sha, after.sha);
  const place = event.kind === "drift" ? "slow" : exact === true ? "exact" : "range";
  return (
    <section aria-labelledby="culprit">
      <h2 id="culprit">{own(`culprit.${place}`)}</h2>
      <p class="quiet">{own(`culprit.${place}.text`)}</p>
      <dl class="commits">
        <dt>{own(place === "exact" ? "commit" : "commit.last")}</dt>
        <CommitLine of={after} />
        <dt>{own("commit.before")}</dt>
        <CommitLine of={before} />
        <Also event={event} />
      </dl>
      <p class="links">
        {changes !== null && (
          <a href={changes} rel="noreferrer">
            {own("changes")}
          </a>
        )}
        <a
          href={to("compare", {
            base: before.sha,
            // of a commit's runs the one of the harness that saw it
            head: harness === null ? after.sha : event.run,
            host: harness === null ? undefined : event.affected_series[0]?.host_class,
          })}
        >
          {own("compare")}
        </a>
      </p>
    </section>
  );
}

function CommitLine({ of }: { readonly of: Event["culprit"]["after"] }) {
  const own = useWords(regressionWords);
  return (
    <dd>
      <Commit sha={of.sha} /> {oneLine(of.message)}
      <span class="quiet">
        {own("commit.by", { author: oneLine(of.author), time: moment(of.time) })}
      </span>
    </dd>
  );
}

function Also({ event: { also = [] } }: { readonly event: Event }) {
  const own = useWords(regressionWords);
  if (also.length === 0) return null;
  return (
    <>
      <dt>{own("commit.also")}</dt>
      <dd class="also">
        {also.map((sha) => (
          <Commit key={sha} sha={sha} />
        ))}
      </dd>
    </>
  );
}
