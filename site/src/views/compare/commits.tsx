/** Two commits or runs: which ones, and what is known of their difference. */

import { useApp, useWords } from "../../app/context";
import { loadRunsOf, type RunRow } from "../../data/runs";
import { useLoaded } from "../../parts/loaded";
import { Notice } from "../../parts/notice";
import { oneLine } from "../../words/format";
import { find } from "./find";
import { MeasuredResult } from "./measured";
import { RunPicker } from "./run_picker";
import { Saying } from "./saying";
import { type Ends, settleEnds } from "./settle";
import { TwoRuns } from "./two_runs";
import { compareWords } from "./words";

export function Commits() {
  const { index, row, say } = useApp();
  const runs = useLoaded(row.class, () => loadRunsOf(index, row));
  if (runs.state === "waiting") return <p class="waiting">{say("page.loading")}</p>;
  if (runs.state === "failed") return <Notice problem={runs.problem} say={say} />;
  return <Between runs={runs.value} />;
}

function Between({ runs }: { readonly runs: readonly RunRow[] }) {
  const { asked, choose } = useApp();
  const own = useWords(compareWords);
  const ends = settleEnds(runs, asked.get("base"), asked.get("head"));
  if (ends === null) {
    const why = runs.length === 0 ? "no-runs" : "need-two";
    return <Saying what={own(why)} remedy={own(`${why}.remedy`)} />;
  }
  const chosen = { base: ends.base.asked, head: ends.head.asked };
  return (
    <>
      <div class="sides">
        <RunPicker
          label={own("base")}
          runs={runs}
          end={ends.base}
          onChoose={(base) => choose({ ...chosen, base, from: undefined })}
        />
        <button
          type="button"
          onClick={() =>
            choose({ base: chosen.head, head: chosen.base, from: asked.getAll("from") })
          }
        >
          ⇄ {own("swap")}
        </button>
        <RunPicker
          label={own("head")}
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
  const { index, row, asked, say } = useApp();
  const own = useWords(compareWords);
  const runsWanted = asked.get("from") === "runs";
  const key = [row.class, ends.base.asked, ends.head.asked, runsWanted].join(" ");
  const found = useLoaded(key, () => find(index, row, ends, runsWanted));
  if (found.state === "waiting") return <p class="waiting">{say("page.loading")}</p>;
  if (found.state === "failed") return <Notice problem={found.problem} say={say} />;
  const { value } = found;
  switch (value.kind) {
    case "measured":
      return <MeasuredResult comparisons={value.comparisons} ends={ends} />;
    case "runs":
      return <TwoRuns {...value} />;
    case "absent": {
      const name = oneLine(value.asked.slice(0, 80));
      return <Saying what={own("absent", { asked: name })} remedy={own("absent.remedy")} />;
    }
  }
}
