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
  const own = useWords(regressionWords);
  const evidence = (event.evidence ?? []).toSorted(
    (a, b) => Number(b.independent ?? false) - Number(a.independent ?? false),
  );
  return (
    <section aria-labelledby="evidence">
      <h2 id="evidence">{own("evidence")}</h2>
      <p class="quiet">{own(evidence.length > 0 ? "evidence.text" : "evidence.none")}</p>
      {evidence.length > 0 && <EvidenceTable evidence={evidence} />}
    </section>
  );
}

function EvidenceTable({ evidence }: { readonly evidence: readonly Evidence[] }) {
  const own = useWords(regressionWords);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard
    <section class="scroll" tabIndex={0} aria-labelledby="evidence">
      <table>
        <TableHead
          heads={[
            { words: own("col.case") },
            { words: own("col.metric"), kind: "text" },
            { words: own("col.says"), kind: "text" },
            { words: own("col.size") },
            { words: own("col.pairs") },
            { words: own("col.whose"), kind: "text" },
            { words: own("col.between"), kind: "text" },
          ]}
        />
        <tbody>
          {evidence.map((each) => (
            <Line key={`${each.comparison} ${each.case} ${each.metric}`} of={each} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Line({ of }: { readonly of: Evidence }) {
  const { say, index, to } = useApp();
  const measured = caseNamed(index, of.case);
  const load = `${measured.boot} ${measured.workload}, ${quantity(measured.connections, "count")}`;
  return (
    <tr>
      <th scope="row">
        {variantName(measured)} <span class="quiet">{oneLine(load)}</span>
      </th>
      <td class="text">{metricName(of.metric, say)}</td>
      <td class="text">
        <Agreement agrees={of.agrees ?? null} />
      </td>
      <td>
        {change(of.ratio)}
        <span class="below quiet">
          {say("interval.range", { low: change(of.low_ratio), high: change(of.high_ratio) })}
        </span>
      </td>
      <td>{of.pairs}</td>
      <td class="text">
        <Job of={of} />
      </td>
      <td class="text">
        <a href={to("compare", { base: of.base, head: of.head, host: of.host_class })}>
          <code>{oneLine(`${shortSha(of.base)} … ${shortSha(of.head)}`)}</code>
        </a>
      </td>
    </tr>
  );
}

function Agreement({ agrees }: { readonly agrees: boolean | null }) {
  const own = useWords(regressionWords);
  const [shape, key] =
    agrees === null
      ? (["○", "says.nothing"] as const)
      : agrees
        ? (["✓", "says.agrees"] as const)
        : (["✕", "says.denies"] as const);
  return (
    <>
      <span aria-hidden="true">{shape}</span> {own(key)}
    </>
  );
}

/** Whose it is; the job itself as a link only below the page's own repository. */
function Job({ of }: { readonly of: Evidence }) {
  const { repository } = useApp();
  const own = useWords(regressionWords);
  const address = runAddress(repository, of.url ?? null);
  const whose = own(of.independent === true ? "whose.other" : "whose.same");
  return (
    <>
      {address === null ? (
        whose
      ) : (
        <a href={address} rel="noreferrer">
          {whose}
        </a>
      )}
      <span class="below quiet">{oneLine(of.comparison)}</span>
    </>
  );
}
