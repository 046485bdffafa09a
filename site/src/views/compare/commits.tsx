/** Two commits or runs: which ones, and what is known of their difference. */

import { useApp, useWords } from "../../app/context";
import { loadRunsOf, type RunRow } from "../../data/runs";
import { useLoaded } from "../../parts/loaded";
import { Notice } from "../../parts/notice";
import { oneLine } from "../../words/format";
import { find } from "./find";
import { MeasuredResult } from "./measured";
import { RunPicker } from "./run_picker";
import { Message } from "./saying";
import { type Ends, settleEnds } from "./settle";
import { TwoRuns } from "./two_runs";
import { compareWords } from "./words";

export function Commits() {
  const { index, row, say } = useApp();
  const runs = useLoaded(row.class, () => loadRunsOf(index, row));
  if (runs.state === "waiting") return <p class="waiting">{say("page.loading")}</p>;
  if (runs.state === "failed") return <Notice problem={runs.problem} say={say} />;
  return <CommitComparison runs={runs.value} />;
}

function CommitComparison({ runs }: { readonly runs: readonly RunRow[] }) {
  const { query, choose } = useApp();
  const text = useWords(compareWords);
  const ends = settleEnds(runs, query.get("base"), query.get("head"));
  if (ends === null) {
    const why = runs.length === 0 ? "no-runs" : "need-two";
    return <Message what={text(why)} remedy={text(`${why}.remedy`)} />;
  }
  const chosen = { base: ends.base.name, head: ends.head.name };
  return (
    <>
      <div class="sides">
        <RunPicker
          label={text("base")}
          runs={runs}
          end={ends.base}
          onChoose={(base) => choose({ ...chosen, base, from: undefined })}
        />
        <button
          type="button"
          onClick={() =>
            choose({ base: chosen.head, head: chosen.base, from: query.getAll("from") })
          }
        >
          ⇄ {text("swap")}
        </button>
        <RunPicker
          label={text("head")}
          runs={runs}
          end={ends.head}
          onChoose={(head) => choose({ ...chosen, head, from: undefined })}
        />
      </div>
      <Outcome ends={ends} />
    </>
  );
}

function Outcome({ ends }: { readonly ends: Ends }) {
  const { index, row, query, say } = useApp();
  const text = useWords(compareWords);
  const preferRuns = query.get("from") === "runs";
  const key = [row.class, ends.base.name, ends.head.name, preferRuns].join(" ");
  const found = useLoaded(key, () => find(index, row, ends, preferRuns));
  if (found.state === "waiting") return <p class="waiting">{say("page.loading")}</p>;
  if (found.state === "failed") return <Notice problem={found.problem} say={say} />;
  const { value } = found;
  switch (value.kind) {
    case "measured":
      return <MeasuredResult comparisons={value.comparisons} ends={ends} />;
    case "runs":
      return <TwoRuns {...value} />;
    case "absent": {
      const name = oneLine(value.name.slice(0, 80));
      return <Message what={text("absent", { asked: name })} remedy={text("absent.remedy")} />;
    }
  }
}
