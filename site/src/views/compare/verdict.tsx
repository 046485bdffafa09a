/** A verdict in words, with a sign before it: never by colour alone. */

import { useWords } from "../../app/context";
import type { Values } from "../../words/words";
import { isChange, type Verdict as Kind, type Why } from "./ratio";
import { type CompareWord, compareWords } from "./words";

type Own = (key: CompareWord, values?: Values) => string;

const SIGNS: Readonly<Record<Kind, string>> = {
  worse: "▼",
  suspected: "▽",
  better: "▲",
  changed: "◆",
  same: "=",
  unknown: "?",
};

interface Props {
  readonly verdict: Kind;
  readonly why: Why | null;
  readonly words: string;
}

export function Verdict({ verdict, why, words }: Props) {
  const own = useWords(compareWords);
  return (
    <span class={`verdict ${verdict}`}>
      <span class="sign" aria-hidden="true">
        {SIGNS[verdict]}
      </span>{" "}
      {words}
      {why !== null && !isChange(verdict) && <span class="quiet"> ({own(`why.${why}`)})</span>}
    </span>
  );
}

/** What is worse or better, as the metric has it: slower, or costlier. */
export function verdictWords(
  of: {
    readonly metric: string;
    readonly unit: string;
    readonly grew: boolean;
    readonly better: string;
  },
  verdict: Kind,
  own: Own,
): string {
  const speed = of.unit === "rps" || (of.unit === "s" && !of.metric.includes("cpu"));
  const worse = own(speed ? "verdict.slower" : "verdict.costlier");
  const better = own(speed ? "verdict.faster" : "verdict.cheaper");
  switch (verdict) {
    case "worse":
      return worse;
    case "better":
      return better;
    case "suspected":
      return own("verdict.suspected", {
        verdict: of.grew === (of.better === "higher") ? better : worse,
      });
    default:
      return own(`verdict.${verdict}`);
  }
}

/** The same for what is no ratio. */
export function factVerdictWords(verdict: Kind, own: Own): string {
  return verdict === "suspected"
    ? own("verdict.suspected", { verdict: own("verdict.worse") })
    : own(`verdict.${verdict}`);
}
