/** A metric over the releases, a line for each variant. */

import { useMemo, useState } from "preact/hooks";
import { useApp, useWords } from "../../app/context";
import { eventsOf } from "../../charts/event_marks";
import { LineChart } from "../../charts/line_chart";
import type { Line, LinesPicture, Mark, Range, Spot } from "../../charts/lines";
import type { MetricRow } from "../../data/contract";
import type { Fields } from "../../data/export";
import { type ReleaseSeries, versionsOf } from "../../data/releases";
import { Downloads } from "../../parts/downloads";
import { namesApart } from "../../parts/names";
import { metricName, oneLine, quantity } from "../../words/format";
import { releaseWords } from "./words";

interface Props {
  readonly series: readonly ReleaseSeries[];
  readonly metric: MetricRow;
}

export function ReleaseChart({ series, metric }: Props) {
  const { say } = useApp();
  const own = useWords(releaseWords);
  const picture = usePicture(series, metric);
  const whole = { from: 0, to: Math.max(0, picture.places - 1) };
  const [seen, setSeen] = useState<Range | null>(null);
  const range = seen !== null && seen.to <= whole.to ? seen : whole;
  const [chosen, setChosen] = useState<Spot | null>(null);
  const title = own("chart", { metric: metricName(metric.name, say) });
  const better = own(metric.better === "lower" ? "better.lower" : "better.higher");
  const subtitle = own("chart.meaning", { better });
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
        label={own("chart.label", { title })}
        describe={(spot) => describe(picture, spot)}
        slider={false}
      />
      <Downloads
        name={`releases-${metric.name}`}
        rows={() => series.flatMap((each) => fieldsOf(each, metric))}
        picture={async (kind) => {
          const { pictureFile } = await import("../../charts/picture_file");
          return pictureFile(kind, picture, range, { title, subtitle: better });
        }}
      />
    </figure>
  );
}

function usePicture(series: readonly ReleaseSeries[], metric: MetricRow): LinesPicture {
  const { index, row, theme } = useApp();
  return useMemo(() => {
    const versions = versionsOf(series);
    const names = namesApart(series.map(({ of }) => of));
    const lines = series.map((each, at) => lineOf(each, names[at] ?? "", at + 1, versions));
    const events = index.events ?? [];
    const marks = series.flatMap(({ of, values }): readonly Mark[] =>
      eventsOf(events, of, metric.name, row.class, values).map(({ index: at, shape, bad }) => ({
        line: idOf(of),
        at: versions.indexOf(values[at]?.version ?? ""),
        shape,
        bad,
      })),
    );
    return {
      lines,
      against: lines,
      marks,
      environmentChanges: [],
      places: versions.length,
      label: (at) => oneLine(versions[at] ?? ""),
      write: (value) => quantity(value, metric.unit),
      log: false,
      zero: false,
    };
  }, [series.map(({ of }) => idOf(of)).join(" "), metric.name, row, theme]);
}

function lineOf(
  { of, values }: ReleaseSeries,
  name: string,
  number: number,
  versions: readonly string[],
): Line {
  const dots = values.map(({ version, value, low, high, runs }) => ({
    at: versions.indexOf(version),
    value,
    low: runs > 1 ? low : null,
    high: runs > 1 ? high : null,
    marked: false,
    failed: false,
  }));
  return { id: idOf(of), name, number, dots };
}

function idOf(of: ReleaseSeries["of"]): string {
  return `${of.case}@${of.configuration}`;
}

function describe(picture: LinesPicture, spot: Spot): string {
  const line = picture.lines.find(({ id }) => id === spot.line);
  const dot = line?.dots.find(({ at }) => at === spot.at);
  if (line === undefined || dot === undefined || dot.value === null) return "";
  return `${line.name}, ${picture.label(spot.at)}: ${picture.write(dot.value)}`;
}

function fieldsOf({ of, values }: ReleaseSeries, metric: MetricRow): readonly Fields[] {
  return values.map(({ version, value, low, high, runs }) => ({
    case: of.case,
    configuration: of.configuration,
    release: version,
    metric: metric.name,
    unit: metric.unit,
    value,
    least: low,
    greatest: high,
    runs,
  }));
}
