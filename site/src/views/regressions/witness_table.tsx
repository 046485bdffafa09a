/** The series that an event touches: each leads to its trend. */

import { useApp, useWords } from "../../app/context";
import { caseNamed, conditionsWords, distinct } from "../../data/cases";
import { PAIRS, witnessesOf } from "../../data/changes";
import type { Event, Witness } from "../../data/contract";
import { IntervalPicture, reachOf } from "../../parts/interval_picture";
import { variantName } from "../../parts/names";
import { TableHead } from "../../parts/table_head";
import { change, metricName, oneLine, quantity } from "../../words/format";
import { regressionWords } from "./words";

export function WitnessTable({ event }: { readonly event: Event }) {
  const own = useWords(regressionWords);
  const { witnesses } = event;
  const [shown, all] = [witnesses.length, witnessesOf(event)];
  if (shown === 0) return null;
  const reach = reachOf(
    witnesses.map((each) => ({ ratio: each.ratio, low: each.low_ratio, high: each.high_ratio })),
  );
  return (
    <section aria-labelledby="witnesses">
      <h2 id="witnesses">{own("witnesses", { count: all })}</h2>
      <p class="quiet">
        {own("witnesses.text")} {all > shown && own("witnesses.some", { shown, all })}{" "}
        <Measured witnesses={witnesses} />
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard */}
      <section class="scroll" tabIndex={0} aria-labelledby="witnesses">
        <table class="witnesses">
          <TableHead
            heads={[
              { words: own("col.case") },
              { words: own("col.metric"), kind: "text" },
              { words: own("col.before") },
              { words: own("col.after") },
              { words: own("col.size") },
              { words: own("col.picture"), kind: "in-picture" },
            ]}
          />
          <tbody>
            {witnesses.map((each) => (
              <Line
                key={`${each.case} ${each.conditions} ${each.host_class} ${each.metric}`}
                witness={each}
                reach={reach}
              />
            ))}
          </tbody>
        </table>
      </section>
    </section>
  );
}

interface Given {
  readonly witness: Witness;
  readonly reach: number;
}

function Line({ witness, reach }: Given) {
  const { say } = useApp();
  const { metric, unit, ratio, low_ratio: low, high_ratio: high } = witness;
  return (
    <tr>
      <th scope="row">
        <CaseLink witness={witness} />
      </th>
      <td class="text">{metricName(metric, say)}</td>
      <td>{quantity(witness.before, unit)}</td>
      <td>{quantity(witness.after, unit)}</td>
      <td>
        {change(ratio)}
        <span class="below quiet">
          {say("interval.range", { low: change(low), high: change(high) })}
        </span>
      </td>
      <td class="in-picture">
        <IntervalPicture reach={reach} ratio={ratio} low={low} high={high} changed />
      </td>
    </tr>
  );
}

function howWords({ conditions }: Witness, pairs: string): string {
  return conditions === PAIRS ? pairs : conditionsWords(conditions);
}

/** How and where the witnesses were measured, each way once. */
function Measured({ witnesses }: { readonly witnesses: readonly Witness[] }) {
  const own = useWords(regressionWords);
  const hows = distinct(witnesses.map((each) => howWords(each, own("by-pairs"))));
  const hosts = distinct(witnesses.map((each) => each.host_class));
  return own("measured-on", { how: oneLine(hows.join("; ")), host: oneLine(hosts.join(", ")) });
}

function CaseLink({ witness }: { readonly witness: Witness }) {
  const { index, to } = useApp();
  const { case: id, conditions, metric, host_class: host } = witness;
  const of = caseNamed(index, id);
  const s = conditions === PAIRS ? id : `${id}@${conditions}`;
  return (
    <>
      <a href={to("trends", { s, metric, host })}>{variantName(of)}</a>{" "}
      <span class="quiet">
        {oneLine(`${of.boot} ${of.workload}, ${quantity(of.connections, "count")}`)}
      </span>
    </>
  );
}
