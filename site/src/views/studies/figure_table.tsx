/** Published figures, each beside its counterpart. */

import { useApp, useWords } from "../../app/context";
import type { Figure, Pair } from "../../data/studies";
import { bottleneckWords, known } from "../../parts/marks";
import { variantName } from "../../parts/names";
import { Range } from "../../parts/range";
import { TableHead } from "../../parts/table_head";
import { ABSENT, metricName, oneLine, quantity } from "../../words/format";
import type { Say } from "../../words/words";
import { studyWords } from "./words";

interface Props {
  readonly pairs: readonly Pair[];
  readonly label: string;
}

export function FigureTable({ pairs, label }: Props) {
  const text = useWords(studyWords);
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard */}
      <section class="scroll" tabIndex={0} aria-label={label}>
        <table class="study-figures">
          <TableHead
            heads={[
              { words: text("col.case") },
              { words: text("col.metric"), kind: "text" },
              { words: text("col.published") },
              { words: text("col.measured") },
              { words: text("col.ratio") },
              { words: text("col.as"), kind: "text" },
              { words: text("col.bottleneck"), kind: "text" },
            ]}
          />
          <tbody>
            {pairs.map((pair, at) => (
              <Line key={at} pair={pair} />
            ))}
          </tbody>
        </table>
      </section>
      <p class="quiet">{text("ratio")}</p>
    </>
  );
}

function Line({ pair: { figure, row, measured, ratio } }: { readonly pair: Pair }) {
  const { say, to } = useApp();
  const text = useWords(studyWords);
  const printed = quantity(figure.published, figure.unit);
  return (
    <tr>
      <th scope="row">{figureName(figure, say)}</th>
      <td class="text">{metricName(figure.metric, say)}</td>
      <td>{figure.about ? text("about", { value: printed }) : printed}</td>
      <td>
        {quantity(measured?.median, figure.unit)}
        <Range value={measured} unit={figure.unit} />
      </td>
      <td>{ratio === null ? ABSENT : `${quantity(ratio, "number")} ×`}</td>
      <td class="text">
        {row && (
          <a
            href={to("trends", {
              s: `${row.case.case}@${row.case.configuration}`,
              metric: figure.metric,
            })}
          >
            {variantName(row.case)}, {oneLine(row.case.boot)}
          </a>
        )}
      </td>
      <td class="text">{bottleneckWords(row?.bottleneck ?? null, say)}</td>
    </tr>
  );
}

/** `Tomcat virtual native, 1,000`: a variant and its load. */
export function figureName(figure: Figure, say: Say): string {
  const { boot, server, model, runtime, workload, connections = 0 } = figure;
  const axes = {
    boot,
    server,
    model,
    runtime,
    workload: "",
    connections,
    case: "",
    configuration: "",
  };
  const load = workload === undefined ? [] : [known("workload", workload, say)];
  const count = workload === undefined ? [] : [quantity(connections, "count")];
  return [variantName(axes), ...load, ...count].join(", ");
}
