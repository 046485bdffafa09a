/** What the two sides are: their commits, and where more is to be read of each. */

import { useApp, useWords } from "../../app/context";
import { Commit } from "../../parts/commit";
import { oneLine, subject } from "../../words/format";
import { compareWords } from "./words";

export interface End {
  readonly sha: string | null;
  readonly message: string;
  readonly author: string;
  /** The id of its run; null where none is known. */
  readonly run: string | null;
}

interface Props {
  readonly base: End;
  readonly head: End;
}

export function EndLines({ base, head }: Props) {
  const text = useWords(compareWords);
  return (
    <dl class="ends">
      <dt>{text("base")}</dt>
      <dd>
        <Line end={base} />
      </dd>
      <dt>{text("head")}</dt>
      <dd>
        <Line end={head} />
      </dd>
    </dl>
  );
}

function Line({ end }: { readonly end: End }) {
  const { to } = useApp();
  const text = useWords(compareWords);
  return (
    <>
      {end.sha !== null && <Commit sha={end.sha} />} {oneLine(subject(end.message, 120))}{" "}
      <span class="quiet">{oneLine(end.author)}</span>{" "}
      {end.run !== null && <a href={to("run", { id: end.run })}>{text("end.run")}</a>}
    </>
  );
}
