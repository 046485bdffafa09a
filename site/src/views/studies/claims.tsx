/** Claims of others: what was published, what was measured here, and whether both agree. */

import { useApp, useWords } from "../../app/context";
import { type Judged, judgedClaims, openClaims, type Verdict } from "../../data/claims";
import type { Fields } from "../../data/export";
import { Downloads } from "../../parts/downloads";
import { OpenList } from "../../parts/open_list";
import { TableHead } from "../../parts/table_head";
import { ABSENT, date, oneLine, quantity } from "../../words/format";
import { studyWords } from "./words";

export function Claims() {
  const { row } = useApp();
  const own = useWords(studyWords);
  const judged = judgedClaims(row);
  const open = openClaims(row);
  return (
    <section aria-labelledby="claims">
      <h2 id="claims">{own("claims")}</h2>
      {judged.length > 0 && (
        <>
          <ClaimTable judged={judged} />
          <Downloads name="claims" rows={judged.map(fieldsOf)} />
        </>
      )}
      {open.length > 0 && (
        <details open={judged.length === 0}>
          <summary>{own("claims.open", { count: open.length })}</summary>
          <OpenList
            lang="en"
            items={open.map(({ id, claim, command }) => ({ id, text: claim, command }))}
          />
        </details>
      )}
    </section>
  );
}

function ClaimTable({ judged }: { readonly judged: readonly Judged[] }) {
  const own = useWords(studyWords);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard
    <section class="scroll" tabIndex={0} aria-labelledby="claims">
      <table class="claims">
        <TableHead
          heads={[
            { words: own("col.claim") },
            { words: own("col.verdict"), kind: "text" },
            { words: own("col.ratio-here") },
            { words: own("col.day"), kind: "text" },
            { words: own("col.command"), kind: "text" },
          ]}
        />
        <tbody>
          {judged.map((each) => (
            <Line key={each.claim.id} of={each} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Line({ of: { claim, found } }: { readonly of: Judged }) {
  const { to } = useApp();
  const own = useWords(studyWords);
  return (
    <tr>
      <th scope="row">
        <span lang="en">{claim.claim}</span>
        <span class="range" lang="en">
          <a href={claim.address} rel="noreferrer">
            {claim.source}
          </a>
          {claim.date && `, ${claim.date}`}
        </span>
      </th>
      <td class="text why">
        {own(`verdict.${verdictOf(found)}`)}
        <span class="range" lang="en">
          {oneLine(found.reason ?? found.words)}
        </span>
      </td>
      <td>
        {timesWords(found)}
        <span class="range" lang="en">
          {oneLine(found.claimed)}
        </span>
      </td>
      <td class="text">
        <a href={to("run", { id: found.run })}>{date(found.started_at)}</a>
      </td>
      <td class="text">
        <code>{claim.command}</code>
      </td>
    </tr>
  );
}

const VERDICTS = ["holds", "does-not-hold", "bottleneck", "not-warmed-up"] as const;

/** One that this page does not know decides nothing for its readers. */
function verdictOf({ verdict }: Verdict): Verdict["verdict"] {
  return VERDICTS.find((each) => each === verdict) ?? "undecided";
}

/** `4.98 × [4.71, 5.2]`: the ratio that was measured. */
function timesWords({ ratio, low, high }: Verdict): string {
  if (ratio == null) return ABSENT;
  const [middle, from, to] = [ratio, low, high].map((each) => quantity(each, "count"));
  return low == null || high == null ? `${middle} ×` : `${middle} × [${from}, ${to}]`;
}

function fieldsOf({ claim, found }: Judged): Fields {
  return {
    claim: claim.id,
    text: claim.claim,
    source: claim.address,
    claimed: found.claimed,
    verdict: found.verdict,
    reason: found.reason ?? null,
    ratio: found.ratio ?? null,
    ratio_low: found.low ?? null,
    ratio_high: found.high ?? null,
    run: found.run,
    started_at: found.started_at,
  };
}
