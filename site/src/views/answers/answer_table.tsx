/** All figures of an answer: each step with its values, its ratios, and what limited it. */

import { useApp, useWords } from "../../app/context";
import type { AnsweredRow, PublishedAnswer } from "../../data/answers";
import { declared } from "../../data/metrics";
import { bottleneckWords } from "../../parts/marks";
import { TableHead } from "../../parts/table_head";
import { ABSENT, metricName, oneLine, quantity } from "../../words/format";
import { ratioWords } from "./dots";
import { stepName } from "./names";
import { answerWords } from "./words";

interface Props {
  readonly answer: PublishedAnswer;
  readonly label: string;
}

export function AnswerTable({ answer, label }: Props) {
  const { say, language } = useApp();
  const text = useWords(answerWords);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard
    <section class="scroll" tabIndex={0} aria-label={label}>
      <table>
        <TableHead
          heads={[
            { words: text("col.subject") },
            { words: text("col.step"), kind: "text" },
            ...answer.metrics.map((metric) => ({ words: metricName(metric, say) })),
            { words: text("col.processes") },
            { words: text("col.bottleneck"), kind: "text" },
          ]}
        />
        <tbody>
          {answer.rows.map((row) => (
            <tr key={row.case}>
              <th scope="row">{oneLine(row.subject)}</th>
              <td class="text">{stepName(answer, row.step, language)}</td>
              {answer.metrics.map((metric) => (
                <Cell key={metric} {...{ row, metric }} />
              ))}
              <td>
                <Processes row={row} />
              </td>
              <td class="text">
                <Limit row={row} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** How many there were, and of how many of them the load counts where that is not all. */
function Processes({ row }: { readonly row: AnsweredRow }) {
  const text = useWords(answerWords);
  const { processes, counted = processes } = row;
  if (counted === null || counted === processes) return <>{quantity(processes, "count")}</>;
  return <>{text("counted", { counted, processes })}</>;
}

function Cell({ row, metric }: { readonly row: AnsweredRow; readonly metric: string }) {
  const text = useWords(answerWords);
  const value = row.values?.[metric];
  const ratio = row.ratios?.[metric];
  if (value === undefined) return <td>{ABSENT}</td>;
  return (
    <td>
      {quantity(value.median, declared(metric)?.unit ?? "count")}
      {ratio && <span class="range">{text("share", { share: ratioWords(ratio) })}</span>}
    </td>
  );
}

/** What limited it in the reader's words, where its kind is known, and the figures of it. */
function Limit({ row }: { readonly row: AnsweredRow }) {
  const { say } = useApp();
  const text = useWords(answerWords);
  const { failed, not_measured, bottleneck_kind: kind, bottleneck } = row;
  if (failed) return <span class="bad">{text("failed")}</span>;
  if (not_measured) return <>{text("not-measured")}</>;
  const [label = "", ...details] = oneLine(bottleneck ?? "").split(": ");
  if (!kind) return <span lang="en">{[label, ...details].join(": ")}</span>;
  return (
    <>
      {bottleneckWords(kind, say)}
      {details.length > 0 && (
        <span class="range" lang="en">
          {details.join(": ")}
        </span>
      )}
    </>
  );
}
