/** Claims of others: what was published, what was measured here, and whether both agree. */

import { useApp, useWords } from "../../app/context";
import { type EvaluatedClaim, evaluatedClaims, openClaims, type Verdict } from "../../data/claims";
import type { Fields } from "../../data/export";
import { Downloads } from "../../parts/downloads";
import { OpenList } from "../../parts/open_list";
import { TableHead } from "../../parts/table_head";
import { ABSENT, date, oneLine, quantity } from "../../words/format";
import { studyWords } from "./words";

export function Claims() {
  const { row } = useApp();
  const text = useWords(studyWords);
  const rows = evaluatedClaims(row);
  const open = openClaims(row);
  return (
    <section aria-labelledby="claims">
      <h2 id="claims">{text("claims")}</h2>
      {rows.length > 0 && (
        <>
          <ClaimTable rows={rows} />
          <Downloads name="claims" rows={rows.map(fieldsOf)} />
        </>
      )}
      {open.length > 0 && (
        <details open={rows.length === 0}>
          <summary>{text("claims.open", { count: open.length })}</summary>
          <OpenList
            lang="en"
            items={open.map(({ id, claim, command }) => ({ id, text: claim, command }))}
          />
        </details>
      )}
    </section>
  );
}

function ClaimTable({ rows }: { readonly rows: readonly EvaluatedClaim[] }) {
  const text = useWords(studyWords);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard
    <section class="scroll" tabIndex={0} aria-labelledby="claims">
      <table class="claims">
        <TableHead
          heads={[
            { words: text("col.claim") },
            { words: text("col.verdict"), kind: "text" },
            { words: text("col.ratio-here") },
            { words: text("col.day"), kind: "text" },
            { words: text("col.command"), kind: "text" },
          ]}
        />
        <tbody>
          {rows.map((row) => (
            <Line key={row.claim.id} row={row} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Line({ row: { claim, verdict } }: { readonly row: EvaluatedClaim }) {
  const { to } = useApp();
  const text = useWords(studyWords);
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
        {text(`verdict.${verdictOf(verdict)}`)}
        <span class="range" lang="en">
          {oneLine(verdict.reason ?? verdict.words)}
        </span>
      </td>
      <td>
        {timesWords(verdict)}
        <span class="range" lang="en">
          {oneLine(verdict.claimed)}
        </span>
      </td>
      <td class="text">
        <a href={to("run", { id: verdict.run })}>{date(verdict.started_at)}</a>
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
  return VERDICTS.find((candidate) => candidate === verdict) ?? "undecided";
}

/** `4.98 × [4.71, 5.2]`: the ratio that was measured. */
function timesWords({ ratio, low, high }: Verdict): string {
  if (ratio == null) return ABSENT;
  const [middle, from, to] = [ratio, low, high].map((value) => quantity(value, "count"));
  return low == null || high == null ? `${middle} ×` : `${middle} × [${from}, ${to}]`;
}

function fieldsOf({ claim, verdict }: EvaluatedClaim): Fields {
  return {
    claim: claim.id,
    text: claim.claim,
    source: claim.address,
    claimed: verdict.claimed,
    verdict: verdict.verdict,
    reason: verdict.reason ?? null,
    ratio: verdict.ratio ?? null,
    ratio_low: verdict.low ?? null,
    ratio_high: verdict.high ?? null,
    run: verdict.run,
    started_at: verdict.started_at,
  };
}
