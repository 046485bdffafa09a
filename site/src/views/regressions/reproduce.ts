/** What measures an event again, as lines for a shell. Pure. */

import { PAIRS } from "../../data/changes";
import type { AffectedSeries, Event } from "../../data/contract";
import { isServiceCase } from "../../data/service";

const SHA = /^[0-9a-f]{7,40}$/;
const CASE = /^[a-z0-9]+-[a-z0-9]+-[a-z0-9-]+(?:_[a-z0-9.]+)*\/[a-z0-9-]+\/[0-9]+$/;
const METRIC = /^[a-z][a-z0-9_]{0,80}$/;
const PROFILE = /^[a-z][a-z0-9-]{0,40}$/;

/** Of somebody's own service: springbench builds none, so both are checked out and built first. */
function ofCheckouts(before: string, after: string, options: string): readonly string[] {
  const checkouts = [before, after].map((sha) => `../${sha.slice(0, 12)}`);
  return [
    `git worktree add ${checkouts[0]} ${before}`,
    `git worktree add ${checkouts[1]} ${after}`,
    "# build both",
    `springbench compare ${checkouts.join(" ")}${options}`,
  ];
}

/** The commands; none where a published name could do something in a shell. */
export function commandsOf(event: Event): readonly string[] {
  const [before, after] = [event.culprit.before.sha, event.culprit.after.sha];
  const affected = clearest(event);
  if (affected === undefined || !SHA.test(before) || !SHA.test(after)) return [];
  const options = ` --only '${affected.case}'${profileOption(affected.configuration)}`;
  if (isServiceCase(affected.case)) return ofCheckouts(before, after, options);
  const again = `springbench compare ${before} ${after}${options}`;
  // a drift is in all of its commits a little: no half of them has it
  if (event.culprit.exact === true || event.kind === "drift") return [again];
  const bisect = `springbench bisect ${before} ${after} --case '${affected.case}' --metric ${affected.metric}`;
  return [again, bisect];
}

/** The affected series that changed most, among those whose names are plain. */
function clearest({ affected_series }: Event): AffectedSeries | undefined {
  const plain = affected_series.filter(
    (series) => CASE.test(series.case) && METRIC.test(series.metric),
  );
  return plain.toSorted((a, b) => size(b) - size(a))[0];
}

function size({ ratio }: AffectedSeries): number {
  return ratio > 0 ? Math.abs(Math.log(ratio)) : 0;
}

function profileOption(configuration: string): string {
  const profile = configuration.replace(
    /-[0-9]+x[0-9.e+]+s(-apart)?(-env-[0-9a-f]+)?(-ask-[0-9a-f]+)?$/,
    "",
  );
  return PROFILE.test(profile) && profile !== PAIRS ? ` --profile ${profile}` : "";
}
