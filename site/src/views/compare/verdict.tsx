/** A verdict in words, with a sign before it: never by colour alone. */

import { useWords } from "../../app/context";
import type { Values } from "../../words/words";
import { isChange, type Verdict as Kind, type Why } from "./ratio";
import { type CompareWord, compareWords } from "./words";

type ViewText = (key: CompareWord, values?: Values) => string;

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
  const text = useWords(compareWords);
  return (
    <span class={`verdict ${verdict}`}>
      <span class="sign" aria-hidden="true">
        {SIGNS[verdict]}
      </span>{" "}
      {words}
      {why !== null && !isChange(verdict) && <span class="quiet"> ({text(`why.${why}`)})</span>}
    </span>
  );
}

/** What is worse or better, as the metric has it: slower, or costlier. */
export function verdictWords(
  change: {
    readonly metric: string;
    readonly unit: string;
    readonly grew: boolean;
    readonly better: string;
  },
  verdict: Kind,
  text: ViewText,
): string {
  const speed = change.unit === "rps" || (change.unit === "s" && !change.metric.includes("cpu"));
  const worse = text(speed ? "verdict.slower" : "verdict.costlier");
  const better = text(speed ? "verdict.faster" : "verdict.cheaper");
  switch (verdict) {
    case "worse":
      return worse;
    case "better":
      return better;
    case "suspected":
      return text("verdict.suspected", {
        verdict: change.grew === (change.better === "higher") ? better : worse,
      });
    default:
      return text(`verdict.${verdict}`);
  }
}

/** The same for what is no ratio. */
export function factVerdictWords(verdict: Kind, text: ViewText): string {
  return verdict === "suspected"
    ? text("verdict.suspected", { verdict: text("verdict.worse") })
    : text(`verdict.${verdict}`);
}
