/** Another runtime against a JVM: a sentence of what is gained and what it costs, and its numbers. */

import { useApp, useWords } from "../../app/context";
import type { LatestRow } from "../../data/latest";
import type { RankOf } from "../../data/rankings";
import { IntervalPicture, reachOf } from "../../parts/interval_picture";
import { TableHead } from "../../parts/table_head";
import { ABSENT, change, metricName, oneLine, quantity, unbroken } from "../../words/format";
import type { Values } from "../../words/words";
import { type Effect, type Exchange, type ExchangeLine, exchangesOf, USUAL } from "./exchange";
import { columnsOf } from "./rows";
import { footprintWords } from "./words";

interface RowsProps {
  readonly rows: readonly LatestRow[];
  readonly rankOf: RankOf;
}

export function Exchanges({ rows, rankOf }: RowsProps) {
  const { index } = useApp();
  const text = useWords(footprintWords);
  // what it takes, and what it serves for that
  const served = index.metrics.filter(({ name }) => name === "throughput_rps");
  const exchanges = exchangesOf(rows, [...columnsOf(index, rows), ...served], rankOf);
  if (exchanges.length === 0) return <p class="quiet">{text("exchange.none")}</p>;
  return (
    <>
      {exchanges.map((exchange) => (
        <ExchangeSection key={exchange.runtime} exchange={exchange} />
      ))}
    </>
  );
}

function ExchangeSection({ exchange }: { readonly exchange: Exchange }) {
  const text = useWords(footprintWords);
  const id = `exchange-${exchange.runtime.replace(/[^\w-]/g, "-")}`;
  return (
    <section class="exchange" aria-labelledby={id}>
      <h2 id={id}>{titleOf(exchange.runtime, text)}</h2>
      <p class="answer">
        <Sentence exchange={exchange} />
      </p>
      <details>
        <summary>{text("exchange.numbers", { count: exchange.pairs })}</summary>
        <Numbers exchange={exchange} labelledBy={id} />
      </details>
    </section>
  );
}

type ViewText = (key: keyof typeof footprintWords.en, values?: Values) => string;

function titleOf(runtime: string, text: ViewText): string {
  if (runtime === "native") return text("exchange.native");
  if (runtime === "jvm-aot") return text("exchange.aot");
  return text("exchange.other", { runtime: oneLine(runtime) });
}

/** `Better than on a JVM: startup −95.5 %, … Worse: CPU per request +27.0 %.` */
function Sentence({ exchange: { lines } }: { readonly exchange: Exchange }) {
  const { say } = useApp();
  const text = useWords(footprintWords);
  const listed = (effect: Effect) =>
    lines
      .filter((line) => line.effect === effect)
      .toSorted((a, b) => Math.abs(Math.log(b.ratio)) - Math.abs(Math.log(a.ratio)))
      .map(({ metric, ratio }) => {
        const values = {
          metric: inSentence(metricName(metric, say)),
          change: unbroken(change(ratio)),
        };
        return text("exchange.one", values);
      })
      .reduce((list, next) => (list ? text("exchange.list", { list, next }) : next), "");
  const [gains, costs] = [listed("gain"), listed("cost")];
  if (!gains && !costs) return <>{text("exchange.same")}</>;
  return (
    <>
      {gains ? text("exchange.gains", { gains }) : text("exchange.no-gain")}{" "}
      {costs ? text("exchange.costs", { costs }) : text("exchange.no-cost")}
    </>
  );
}

/** `startup`; what is short for something keeps its capitals. */
function inSentence(name: string): string {
  return name.replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase());
}

interface Props {
  readonly exchange: Exchange;
  readonly labelledBy: string;
}

function Numbers({ exchange: { runtime, lines }, labelledBy }: Props) {
  const { say } = useApp();
  const text = useWords(footprintWords);
  const reach = reachOf(lines);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard
    <section class="scroll" tabIndex={0} aria-labelledby={labelledBy}>
      <table>
        <TableHead
          heads={[
            { words: text("col.metric") },
            { words: USUAL },
            { words: oneLine(runtime) },
            { words: text("col.change") },
            { words: text("col.spread") },
            { words: text("col.picture"), kind: "in-picture" },
            { words: text("col.effect"), kind: "text" },
          ]}
        />
        <tbody>
          {lines.map((line) => (
            <tr key={line.metric}>
              <th scope="row">{metricName(line.metric, say)}</th>
              <td>{quantity(line.before, line.unit)}</td>
              <td>{quantity(line.after, line.unit)}</td>
              <td>{change(line.ratio)}</td>
              <Edges line={line} reach={reach} />
              <td class={`text ${line.effect}`}>
                <span aria-hidden="true">{SHAPES[line.effect]}</span>{" "}
                {text(`effect.${line.effect}`)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

const SHAPES: Readonly<Record<Effect, string>> = { gain: "▲", cost: "▼", none: "≈" };

function Edges({ line, reach }: { readonly line: ExchangeLine; readonly reach: number }) {
  const { say } = useApp();
  const { ratio, low, high, effect } = line;
  if (low === null || high === null) {
    return (
      <>
        <td>{ABSENT}</td>
        <td />
      </>
    );
  }
  return (
    <>
      <td>{say("interval.range", { low: change(low), high: change(high) })}</td>
      <td class="in-picture">
        <IntervalPicture {...{ reach, ratio, low, high }} changed={effect !== "none"} />
      </td>
    </>
  );
}
