/** What comparisons in pairs say of an event: those that were made to check it stand first. */

import { useApp, useWords } from "../../app/context";
import { caseNamed } from "../../data/cases";
import type { Event } from "../../data/contract";
import { runAddress } from "../../data/links";
import { variantName } from "../../parts/names";
import { TableHead } from "../../parts/table_head";
import { change, metricName, oneLine, quantity, shortSha } from "../../words/format";
import { regressionWords } from "./words";

type Evidence = NonNullable<Event["evidence"]>[number];

export function EvidenceSection({ event }: { readonly event: Event }) {
  const text = useWords(regressionWords);
  const evidence = (event.evidence ?? []).toSorted(
    (a, b) => Number(b.independent ?? false) - Number(a.independent ?? false),
  );
  return (
    <section aria-labelledby="evidence">
      <h2 id="evidence">{text("evidence")}</h2>
      <p class="quiet">{text(evidence.length > 0 ? "evidence.text" : "evidence.none")}</p>
      {evidence.length > 0 && <EvidenceTable evidence={evidence} />}
    </section>
  );
}

function EvidenceTable({ evidence }: { readonly evidence: readonly Evidence[] }) {
  const text = useWords(regressionWords);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard
    <section class="scroll" tabIndex={0} aria-labelledby="evidence">
      <table>
        <TableHead
          heads={[
            { words: text("col.case") },
            { words: text("col.metric"), kind: "text" },
            { words: text("col.says"), kind: "text" },
            { words: text("col.size") },
            { words: text("col.pairs") },
            { words: text("col.whose"), kind: "text" },
            { words: text("col.between"), kind: "text" },
          ]}
        />
        <tbody>
          {evidence.map((entry) => (
            <Line key={`${entry.comparison} ${entry.case} ${entry.metric}`} entry={entry} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Line({ entry }: { readonly entry: Evidence }) {
  const { say, index, to } = useApp();
  const measured = caseNamed(index, entry.case);
  const load = `${measured.boot} ${measured.workload}, ${quantity(measured.connections, "count")}`;
  return (
    <tr>
      <th scope="row">
        {variantName(measured)} <span class="quiet">{oneLine(load)}</span>
      </th>
      <td class="text">{metricName(entry.metric, say)}</td>
      <td class="text">
        <Agreement agrees={entry.agrees ?? null} />
      </td>
      <td>
        {change(entry.ratio)}
        <span class="below quiet">
          {say("interval.range", { low: change(entry.low_ratio), high: change(entry.high_ratio) })}
        </span>
      </td>
      <td>{entry.pairs}</td>
      <td class="text">
        <Job entry={entry} />
      </td>
      <td class="text">
        <a href={to("compare", { base: entry.base, head: entry.head, host: entry.host_class })}>
          <code>{oneLine(`${shortSha(entry.base)} … ${shortSha(entry.head)}`)}</code>
        </a>
      </td>
    </tr>
  );
}

function Agreement({ agrees }: { readonly agrees: boolean | null }) {
  const text = useWords(regressionWords);
  const [shape, key] =
    agrees === null
      ? (["○", "says.nothing"] as const)
      : agrees
        ? (["✓", "says.agrees"] as const)
        : (["✕", "says.denies"] as const);
  return (
    <>
      <span aria-hidden="true">{shape}</span> {text(key)}
    </>
  );
}

/** Whose it is; the job itself as a link only below the page's own repository. */
function Job({ entry }: { readonly entry: Evidence }) {
  const { repository } = useApp();
  const text = useWords(regressionWords);
  const address = runAddress(repository, entry.url ?? null);
  const whose = text(entry.independent === true ? "whose.other" : "whose.same");
  return (
    <>
      {address === null ? (
        whose
      ) : (
        <a href={address} rel="noreferrer">
          {whose}
        </a>
      )}
      <span class="below quiet">{oneLine(entry.comparison)}</span>
    </>
  );
}
