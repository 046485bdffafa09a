/** One run: what it measured, on what, how sure, and where its file is. */

import { useApp, useWords } from "../../app/context";
import { loadRun, type PublishedRun } from "../../data/published";
import { useLoaded } from "../../parts/loaded";
import { Notice } from "../../parts/notice";
import { date } from "../../words/format";
import { Cases } from "./cases";
import { Facts } from "./facts";
import { Hosts } from "./hosts";
import { Marks, Warnings } from "./warnings";
import { runWords } from "./words";

export function OneRun({ id }: { readonly id: string }) {
  const { say, to } = useApp();
  const text = useWords(runWords);
  const loaded = useLoaded(id, () => loadRun(id));
  return (
    <>
      <p class="back">
        <a href={to("run")}>← {text("all")}</a>
      </p>
      {loaded.state === "waiting" && <p class="waiting">{say("page.loading")}</p>}
      {loaded.state === "failed" && <Notice problem={loaded.problem} say={say} />}
      {loaded.state === "here" && <RunSections run={loaded.value} />}
    </>
  );
}

function RunSections({ run }: { readonly run: PublishedRun }) {
  const text = useWords(runWords);
  return (
    <>
      <h1>{text("title", { day: date(run.started_at) })}</h1>
      <Facts run={run} />
      <Marks marks={run.marks} />
      {/* of another harness nothing is known that could speak against it */}
      {run.cases.some(({ reported }) => reported == null) && <Warnings run={run} />}
      <Cases run={run} />
      <Hosts shards={run.shards} />
    </>
  );
}
