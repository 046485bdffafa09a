/** The series that an event touches: each leads to its trend. */

import { useApp, useWords } from "../../app/context";
import { caseNamed, configurationWords, distinct } from "../../data/cases";
import { affected_seriesOf, PAIRS } from "../../data/changes";
import type { AffectedSeries, Event } from "../../data/contract";
import { IntervalPicture, reachOf } from "../../parts/interval_picture";
import { loadName, variantName } from "../../parts/names";
import { TableHead } from "../../parts/table_head";
import { change, metricName, oneLine, quantity } from "../../words/format";
import { regressionWords } from "./words";

export function AffectedSeriesTable({ event }: { readonly event: Event }) {
  const text = useWords(regressionWords);
  const { affected_series } = event;
  const [shown, all] = [affected_series.length, affected_seriesOf(event)];
  if (shown === 0) return null;
  const reach = reachOf(
    affected_series.map((series) => ({
      ratio: series.ratio,
      low: series.low_ratio,
      high: series.high_ratio,
    })),
  );
  return (
    <section aria-labelledby="affected_series">
      <h2 id="affected_series">{text("affected_series", { count: all })}</h2>
      <p class="quiet">
        {text("affected_series.text")} {all > shown && text("affected_series.some", { shown, all })}{" "}
        <MeasurementNote affected_series={affected_series} />
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard */}
      <section class="scroll" tabIndex={0} aria-labelledby="affected_series">
        <table class="affected_series">
          <TableHead
            heads={[
              { words: text("col.case") },
              { words: text("col.metric"), kind: "text" },
              { words: text("col.before") },
              { words: text("col.after") },
              { words: text("col.size") },
              { words: text("col.picture"), kind: "in-picture" },
            ]}
          />
          <tbody>
            {affected_series.map((series) => (
              <Line
                key={`${series.case} ${series.configuration} ${series.host_class} ${series.metric}`}
                affected={series}
                reach={reach}
              />
            ))}
          </tbody>
        </table>
      </section>
    </section>
  );
}

interface Props {
  readonly affected: AffectedSeries;
  readonly reach: number;
}

function Line({ affected, reach }: Props) {
  const { say } = useApp();
  const { metric, unit, ratio, low_ratio: low, high_ratio: high } = affected;
  return (
    <tr>
      <th scope="row">
        <CaseLink affected={affected} />
      </th>
      <td class="text">{metricName(metric, say)}</td>
      <td>{quantity(affected.before, unit)}</td>
      <td>{quantity(affected.after, unit)}</td>
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

function howWords({ configuration }: AffectedSeries, pairs: string): string {
  return configuration === PAIRS ? pairs : configurationWords(configuration);
}

/** How and where the affected series were measured, each way once. */
function MeasurementNote({
  affected_series,
}: {
  readonly affected_series: readonly AffectedSeries[];
}) {
  const text = useWords(regressionWords);
  const hows = distinct(affected_series.map((series) => howWords(series, text("by-pairs"))));
  const hosts = distinct(affected_series.map((series) => series.host_class));
  return text("measured-on", { how: oneLine(hows.join("; ")), host: oneLine(hosts.join(", ")) });
}

function CaseLink({ affected }: { readonly affected: AffectedSeries }) {
  const { index, to } = useApp();
  const { case: id, configuration, metric, host_class: host } = affected;
  const measuredCase = caseNamed(index, id);
  const s = configuration === PAIRS ? id : `${id}@${configuration}`;
  return (
    <>
      <a href={to("trends", { s, metric, host })}>{variantName(measuredCase)}</a>{" "}
      <span class="quiet">{loadName(measuredCase)}</span>
    </>
  );
}
