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
  const text = useWords(regressionWords);
  const { before, after, exact } = event.culprit;
  const changes = compareAddress(repository, before.sha, after.sha);
  const precision = event.kind === "drift" ? "slow" : exact === true ? "exact" : "range";
  return (
    <section aria-labelledby="culprit">
      <h2 id="culprit">{text(`culprit.${precision}`)}</h2>
      <p class="quiet">{text(`culprit.${precision}.text`)}</p>
      <dl class="commits">
        <dt>{text(precision === "exact" ? "commit" : "commit.last")}</dt>
        <CommitLine commit={after} />
        <dt>{text("commit.before")}</dt>
        <CommitLine commit={before} />
        <OtherCommits event={event} />
      </dl>
      <p class="links">
        {changes !== null && (
          <a href={changes} rel="noreferrer">
            {text("changes")}
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
          {text("compare")}
        </a>
      </p>
    </section>
  );
}

function CommitLine({ commit }: { readonly commit: Event["culprit"]["after"] }) {
  const text = useWords(regressionWords);
  return (
    <dd>
      <Commit sha={commit.sha} /> {oneLine(commit.message)}
      <span class="quiet">
        {text("commit.by", { author: oneLine(commit.author), time: moment(commit.time) })}
      </span>
    </dd>
  );
}

function OtherCommits({ event: { also = [] } }: { readonly event: Event }) {
  const text = useWords(regressionWords);
  if (also.length === 0) return null;
  return (
    <>
      <dt>{text("commit.also")}</dt>
      <dd class="also">
        {also.map((sha) => (
          <Commit key={sha} sha={sha} />
        ))}
      </dd>
    </>
  );
}
