/** By how much each release differs from the one that the chain begins with, a line for each variant. */

import { useMemo, useState } from "preact/hooks";
import { useApp, useWords } from "../../app/context";
import { LineChart } from "../../charts/line_chart";
import type { Line, LinesPicture, Mark, Range, Spot } from "../../charts/lines";
import { findingOf } from "../../data/chain";
import type { MetricRow } from "../../data/contract";
import type { Fields } from "../../data/export";
import { inOrder } from "../../data/releases";
import { Downloads } from "../../parts/downloads";
import { change, listed, metricName, oneLine } from "../../words/format";
import { isChange, isConfirmed, isWorse } from "./changes";
import { breaksOf, type ChainLine } from "./lines";
import { releaseWords } from "./words";

interface Props {
  readonly lines: readonly ChainLine[];
  readonly metric: MetricRow;
}

export function ReleaseChart({ lines, metric }: Props) {
  const { say, language } = useApp();
  const text = useWords(releaseWords);
  const picture = usePicture(lines, metric);
  const fullRange = { from: 0, to: Math.max(0, picture.positions - 1) };
  const [seen, setSeen] = useState<Range | null>(null);
  const range = seen !== null && seen.to <= fullRange.to ? seen : fullRange;
  const [chosen, setChosen] = useState<Spot | null>(null);
  const bases = [...new Set(lines.map(({ base }) => base))].toSorted(inOrder);
  const since = listed(bases.map(oneLine), language, "disjunction");
  const title = text("chart", { metric: metricName(metric.name, say), since });
  const better = text(metric.better === "lower" ? "better.lower" : "better.higher");
  const subtitle = text("chart.meaning", { better });
  return (
    <figure>
      <figcaption>
        <h2>{title}</h2>
        <p class="quiet">{subtitle}</p>
      </figcaption>
      <LineChart
        picture={picture}
        range={range}
        onRange={setSeen}
        chosen={chosen}
        onChoose={setChosen}
        label={text("chart.label", { title })}
        describe={(spot) => describe(picture, spot)}
        slider={false}
      />
      <Breaks lines={lines} metric={metric} />
      <Downloads
        name={`releases-${metric.name}`}
        rows={() => lines.flatMap((line) => fieldsOf(line, metric))}
        picture={async (kind) => {
          const { pictureFile } = await import("../../charts/picture_file");
          return pictureFile(kind, picture, range, { title, subtitle: better });
        }}
      />
    </figure>
  );
}

/** Where a chain ends, since nobody has compared two neighbours, and what helps. */
function Breaks({ lines, metric }: Props) {
  const { language } = useApp();
  const text = useWords(releaseWords);
  return (
    <>
      {breaksOf(lines, metric.name).map(({ before, after, names, compared }) => {
        const ends = { before: oneLine(before), after: oneLine(after) };
        const some = names.length < lines.length;
        return (
          <p key={`${before} ${after}`}>
            {text("break", ends)}{" "}
            {some && text("break.names", { names: listed(names, language, "conjunction") })}{" "}
            {compared ? text("break.metric") : text("break.remedy", ends)}
          </p>
        );
      })}
    </>
  );
}

function usePicture(lines: readonly ChainLine[], metric: MetricRow): LinesPicture {
  const { theme } = useApp();
  return useMemo(() => {
    const all = lines.flatMap(({ chain }) => chain.versions);
    const versions = [...new Set(all)].toSorted(inOrder);
    const drawn = lines.map((line, at) => lineOf(line, at + 1, versions));
    return {
      lines: drawn,
      against: drawn,
      marks: lines.flatMap((line) => marksOf(line, metric, versions)),
      environmentChanges: [],
      positions: versions.length,
      label: (at) => oneLine(versions[at] ?? ""),
      write: change,
      log: false,
      zero: false,
    };
  }, [lines, metric.name, theme]);
}

function lineOf(
  { chain, name, base, changes }: ChainLine,
  number: number,
  versions: readonly string[],
): Line {
  const dots = chain.versions.map((version, at) => {
    const found = changes[at] ?? null;
    const interval = version === base ? null : found;
    return {
      at: versions.indexOf(version),
      value: found?.ratio ?? null,
      low: interval?.low ?? null,
      high: interval?.high ?? null,
      marked: false,
      failed: false,
    };
  });
  return { id: chain.case.case, name, number, dots };
}

function marksOf(
  { chain }: ChainLine,
  metric: MetricRow,
  versions: readonly string[],
): readonly Mark[] {
  return chain.links.flatMap((link): readonly Mark[] => {
    const finding = findingOf(link, metric.name);
    if (finding === null || !isChange(finding.verdict)) return [];
    return [
      {
        line: chain.case.case,
        at: versions.indexOf(link.after),
        shape: isConfirmed(finding.verdict) ? "confirmed" : "suspected",
        bad: isWorse(finding),
      },
    ];
  });
}

function describe(picture: LinesPicture, spot: Spot): string {
  const line = picture.lines.find(({ id }) => id === spot.line);
  const dot = line?.dots.find(({ at }) => at === spot.at);
  if (line === undefined || dot === undefined || dot.value === null) return "";
  return `${line.name}, ${picture.label(spot.at)}: ${picture.write(dot.value)}`;
}

function fieldsOf({ chain, base, changes }: ChainLine, metric: MetricRow): readonly Fields[] {
  return chain.versions.map((release, at) => ({
    case: chain.case.case,
    release,
    since: base,
    metric: metric.name,
    ratio: changes[at]?.ratio ?? null,
    low_ratio: changes[at]?.low ?? null,
    high_ratio: changes[at]?.high ?? null,
    verdict: at > 0 ? (chain.links[at - 1]?.findings.get(metric.name)?.verdict ?? null) : null,
  }));
}
