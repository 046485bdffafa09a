/** One row: a case, a metric, both sides, their ratio with its interval, and what that says. */

import { useApp, useWords } from "../../app/context";
import type { Ratio } from "../../data/ratio";
import type { Value } from "../../data/values";
import { IntervalPicture } from "../../parts/interval_picture";
import { loadName, variantName } from "../../parts/names";
import { Range } from "../../parts/range";
import { ABSENT, change, metricName, oneLine, quantity } from "../../words/format";
import type { Say } from "../../words/words";
import { isChange } from "./ratio";
import type { ComparedRow } from "./rows";
import { Verdict, verdictWords } from "./verdict";
import { compareWords } from "./words";

interface Props {
  readonly row: ComparedRow;
  readonly measured: boolean;
  readonly variants: boolean;
  /** How far the pictures reach. */
  readonly reach: number;
}

export function Line({ row, measured, variants, reach }: Props) {
  const { say } = useApp();
  const text = useWords(compareWords);
  const { ratio, verdict } = row;
  const grew = (ratio?.ratio ?? 1) > 1;
  const words =
    variants && verdict === "same"
      ? text("verdict.same.variants")
      : verdictWords({ ...row, grew }, verdict, text);
  return (
    <tr>
      <th scope="row">
        <CaseName row={row} variants={variants} />
      </th>
      <td class="text">{metricName(row.metric, say)}</td>
      {measured ? (
        <td>{quantity(row.pairs, "count")}</td>
      ) : (
        <>
          <Cell value={row.base} unit={row.unit} />
          <Cell value={row.head} unit={row.unit} />
        </>
      )}
      <td>{ratio === null ? ABSENT : changeWords(ratio.ratio)}</td>
      {measured && (
        <>
          <td>{intervalWords(ratio, say)}</td>
          <td class="in-picture">
            {ratio !== null && ratio.low !== null && ratio.high !== null && (
              <IntervalPicture
                reach={reach}
                ratio={ratio.ratio}
                low={ratio.low}
                high={ratio.high}
                changed={isChange(verdict)}
              />
            )}
          </td>
        </>
      )}
      <td class="text">
        <Verdict verdict={verdict} why={row.why} words={words} />
        {row.note && <span class="quiet"> {oneLine(row.note)}</span>}
      </td>
    </tr>
  );
}

function CaseName({ row, variants }: { readonly row: ComparedRow; readonly variants: boolean }) {
  const { to } = useApp();
  const { case: caseRow, metric } = row;
  const load = oneLine(`${caseRow.workload}, ${quantity(caseRow.connections, "count")}`);
  const series = caseRow.configuration ? `${caseRow.case}@${caseRow.configuration}` : caseRow.case;
  return (
    <>
      <a href={to("trends", { s: series, metric })}>{variants ? load : variantName(caseRow)}</a>{" "}
      {!variants && <span class="quiet">{loadName(caseRow)}</span>}
    </>
  );
}

function Cell({ value, unit }: { readonly value: Value | null; readonly unit: string }) {
  if (value === null) return <td>{ABSENT}</td>;
  return (
    <td>
      {quantity(value.median, unit)} <Range value={value} unit={unit} />
    </td>
  );
}

/** A change in per cent; what is several times as much is said so. */
function changeWords(ratio: number): string {
  if (ratio < 3) return change(ratio);
  return `× ${ratio.toLocaleString("en", { maximumSignificantDigits: 3 })}`;
}

function intervalWords(ratio: Ratio | null, say: Say): string {
  if (ratio === null || ratio.low === null || ratio.high === null) return ABSENT;
  return say("interval.range", { low: changeWords(ratio.low), high: changeWords(ratio.high) });
}
