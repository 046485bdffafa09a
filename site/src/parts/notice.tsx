/** What the page says when it cannot draw: what is wrong, and what helps. */

import { Problem } from "../data/load";
import { oneLine } from "../words/format";
import type { Say } from "../words/words";

interface Props {
  readonly problem: unknown;
  readonly say: Say;
}

/** A notice for anything thrown while reading or drawing. */
export function Notice({ problem, say }: Props) {
  const known =
    problem instanceof Problem
      ? problem
      : new Problem("problem.form", { said: oneLine(String(problem)) });
  return (
    <div class="notice" role="alert">
      <strong>{say(known.what, known.values)}</strong>
      <p>{say(`${known.what}.remedy`, known.values)}</p>
    </div>
  );
}
