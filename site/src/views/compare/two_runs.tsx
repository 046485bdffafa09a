/** Two runs beside each other: what their medians and intervals say, and why that is weaker. */

import { useApp, useWords } from "../../app/context";
import type { Problem } from "../../data/load";
import type { PublishedRun } from "../../data/published";
import { markWords } from "../../parts/marks";
import { ABSENT, oneLine, shortSha } from "../../words/format";
import { byChangePoints } from "./conclusions";
import { type End, EndLines } from "./end_lines";
import { differences, factsOf } from "./facts";
import { PairingNotes } from "./pairing_notes";
import { paired, sharesHost } from "./pairs";
import { Result } from "./result";
import { comparedMetrics, rowsOf, sidesOf } from "./rows";
import { Message } from "./saying";
import { compareWords } from "./words";

interface Props {
  readonly base: PublishedRun;
  readonly head: PublishedRun;
  readonly measured: boolean;
  readonly notSearched: Problem | null;
}

export function TwoRuns({ base, head, measured, notSearched }: Props) {
  const { index, say, choose } = useApp();
  const text = useWords(compareWords);
  const [before, after] = [sidesOf(base), sidesOf(head)];
  if (!sharesHost(before, after)) {
    const classes = { base: classesOf(base), head: classesOf(head) };
    return (
      <Message
        what={text("other-hosts", classes)}
        remedy={<Remedy what={text("other-hosts.remedy")} base={base} head={head} />}
      />
    );
  }
  const pairing = paired(before, after, ({ case: caseRow }) => caseRow.case);
  const metrics = comparedMetrics(index);
  const conclude = byChangePoints(
    index.events ?? [],
    base.commit?.time ?? null,
    head.commit?.time ?? null,
  );
  const rows = pairing.pairs.flatMap(([one, other]) => rowsOf(one, other, metrics, conclude));
  const facts = pairing.pairs.flatMap(([one, other]) => factsOf(one, other));
  return (
    <>
      <EndLines base={endOf(base)} head={endOf(head)} />
      <Message
        what={text("runs.title")}
        remedy={<Remedy what={text("runs.remedy")} base={base} head={head} />}
      >
        <p>{text("runs.text", { rows: rows.length })}</p>
        <Care side={text("base")} run={base} />
        <Care side={text("head")} run={head} />
        {notSearched && (
          <p>{text("runs.not-searched", { said: say(notSearched.what, notSearched.values) })}</p>
        )}
        {measured && (
          <button type="button" onClick={() => choose({ from: undefined })}>
            {text("runs.measured")}
          </button>
        )}
      </Message>
      <Differences base={base} head={head} />
      <PairingNotes pairing={pairing} />
      <Result rows={rows} facts={facts} names={{ base: text("base"), head: text("head") }} />
    </>
  );
}

function Care({ side, run }: { readonly side: string; readonly run: PublishedRun }) {
  const { say } = useApp();
  const text = useWords(compareWords);
  if (run.marks.length === 0) return null;
  return <p>{text("runs.care", { side, marks: markWords(run.marks, say) })}</p>;
}

function Differences({ base, head }: { readonly base: PublishedRun; readonly head: PublishedRun }) {
  const text = useWords(compareWords);
  const found = differences(base, head);
  if (found.length === 0) return null;
  return (
    <section class="differ">
      <p>{text("runs.differ")}</p>
      <ul>
        {found.map((difference) => (
          <li key={difference.what}>
            {oneLine(
              text("runs.differ-one", {
                what: difference.what,
                base: difference.base || ABSENT,
                head: difference.head || ABSENT,
              }),
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

interface RemedyProps {
  readonly what: string;
  readonly base: PublishedRun;
  readonly head: PublishedRun;
}

/** The command that measures both side by side; nothing to type for runs outside git. */
function Remedy({ what, base, head }: RemedyProps) {
  if (base.cases.some(({ reported }) => reported)) return null;
  const commits = [base, head].flatMap(({ commit }) => (commit ? shortSha(commit.sha) : []));
  return (
    <>
      {what} <code>{oneLine(`springbench compare ${commits.join(" ")}`)}</code>
    </>
  );
}

function endOf(run: PublishedRun): End {
  const { sha = null, message = "", author = "" } = run.commit ?? {};
  return { sha, message, author, run: run.id };
}

function classesOf({ shards }: PublishedRun): string {
  return [...new Set(shards.map(({ host }) => host.class))].join(", ");
}
