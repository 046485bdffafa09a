/** Which commit was measured, when, how, and where the file is. */

import { useApp, useWords } from "../../app/context";
import { fileInside } from "../../data/embedded";
import { runAddress } from "../../data/links";
import { type PublishedRun, runPath } from "../../data/published";
import { runRows } from "../../data/runs";
import { Commit } from "../../parts/commit";
import { moment, oneLine, quantity, subject } from "../../words/format";
import { Fact } from "./fact";
import { runWords } from "./words";

export function Facts({ run }: { readonly run: PublishedRun }) {
  const text = useWords(runWords);
  const { commit, cases, profile, trigger } = run;
  const count = (status: string) =>
    cases.filter((measuredCase) => measuredCase.status === status).length;
  const measured_s = run.shards.reduce((sum, shard) => sum + shard.measured_s, 0);
  return (
    <>
      <dl class="facts">
        {commit && (
          <Fact name={text("fact.commit")}>
            <Commit sha={commit.sha} /> {oneLine(subject(commit.message, 120))}
          </Fact>
        )}
        {commit && (
          <Fact name={text("fact.author")}>
            {oneLine(commit.author)}, {moment(commit.time)}
          </Fact>
        )}
        {commit?.branch && <Fact name={text("fact.branch")}>{oneLine(commit.branch)}</Fact>}
        <Fact name={text("fact.how")}>
          {oneLine(profile)}, {oneLine(trigger)}
        </Fact>
        <Fact name={text("fact.started")}>{moment(run.started_at)}</Fact>
        <Fact name={text("fact.finished")}>
          {run.finished_at ? moment(run.finished_at) : text("not-finished")}
        </Fact>
        {measured_s > 0 && (
          <Fact name={text("fact.measured")}>{text("duration", minutes(measured_s))}</Fact>
        )}
        <Fact name={text("fact.cases")}>
          {text("cases", {
            ok: quantity(count("ok"), "count"),
            failed: quantity(count("failed"), "count"),
            skipped: quantity(count("skipped"), "count"),
          })}
        </Fact>
        <Job url={run.url ?? null} />
      </dl>
      <Links run={run} />
    </>
  );
}

function Job({ url }: { readonly url: string | null }) {
  const { repository } = useApp();
  const text = useWords(runWords);
  const address = runAddress(repository, url);
  if (address === null) return null;
  return (
    <Fact name={text("fact.job")}>
      <a href={address} rel="noreferrer">
        {text("job.link")}
      </a>
    </Fact>
  );
}

function Links({ run }: { readonly run: PublishedRun }) {
  const { index, to } = useApp();
  const text = useWords(runWords);
  const rows = runRows(index);
  const at = rows.findIndex(({ id }) => id === run.id);
  const before = rows.slice(at + 1).some(({ profile }) => at >= 0 && profile === run.profile);
  // which run was before it hangs on the hosts: the view of comparisons knows
  const host = run.shards[0]?.host.class;
  return (
    <p class="links">
      <RawFile id={run.id}>{text("download")}</RawFile>
      {before && <a href={to("compare", { head: run.id, host })}>{text("compare")}</a>}
    </p>
  );
}

function RawFile({ id, children }: { readonly id: string; readonly children: string }) {
  const inside = fileInside(runPath(id));
  return inside === null ? (
    <a href={`data/${runPath(id)}`} download={`${id}.json.gz`}>
      {children}
    </a>
  ) : (
    <a href={inside} download={`${id}.json`}>
      {children}
    </a>
  );
}

/** A duration in parts, for the reader's words. */
export function minutes(value_s: number) {
  const whole_s = Math.round(value_s);
  return { minutes: Math.floor(whole_s / 60), seconds: whole_s % 60 };
}
