/** The charts of a scene, all over the same runs, and what belongs to them. */

import { useMemo } from "preact/hooks";
import { useApp, useWords } from "../../app/context";
import { offAxis } from "../../charts/layout";
import { LineChart } from "../../charts/line_chart";
import type { LinesPicture, Range, Spot } from "../../charts/lines";
import { vertical } from "../../charts/vertical";
import { grouped } from "../../data/group";
import { axisWords } from "../../parts/axis_words";
import { Downloads } from "../../parts/downloads";
import { date } from "../../words/format";
import { useBitByBit } from "./bit_by_bit";
import { subtitleOf } from "./caption";
import { exportedPoint, rowsSeen } from "./exported";
import { Key } from "./key";
import { PointTable } from "./point_table";
import { Readout } from "./readout";
import {
  type DrawnSeries,
  type PointAt,
  pictureOf,
  pointAt,
  pointName,
  pointNamed,
  type Scene,
} from "./scene";
import { rangeChoices, rangeOf } from "./slots";
import { valueWords } from "./value_words";
import type { Wish } from "./wish";
import { trendsWords } from "./words";

interface Props {
  readonly scene: Scene;
  readonly wish: Wish;
  readonly title: string;
}

export function Graphs({ scene, wish, title }: Props) {
  const { index, query, choose, say } = useApp();
  const text = useWords(trendsWords);
  const { slots } = scene;
  const range = useMemo(() => rangeOf(slots, wish.from, wish.to), [slots, wish.from, wish.to]);
  const fullPicture = useMemo(
    () => pictureOf(scene, scene.series, wish),
    [scene, wish.log, wish.zero],
  );
  const panels = usePanels(scene, wish);
  const [named, setNamed] = useBitByBit("point");
  const point = pointNamed(scene, named ?? query.get("point"));
  const better = index.metrics.find(({ name }) => name === wish.metric)?.better ?? "higher";
  const subtitle = subtitleOf({ scene, range, wish, better }, text);
  const onRange = (next: Range) => choose(rangeChoices(slots, next), "replace");
  const onChoose = ({ line, at }: Spot) => {
    const found = pointAt(scene, line, at);
    if (found !== null) setNamed(pointName(found));
  };
  const describe = (spot: Spot) => describePoint(pointAt(scene, spot.line, spot.at));
  const off = useMemo(() => countOff(fullPicture, range), [fullPicture, range]);
  const seesAll = range.to - range.from + 1 >= slots.runs.length;
  return (
    <>
      <figure>
        <figcaption>
          <h2>{title}</h2>
          <p class="quiet">{subtitle}</p>
        </figcaption>
        <div class={panels.length > 1 ? "panels" : undefined}>
          {panels.map(({ name, series, picture }) => (
            <section key={name} class="panel">
              {name && <h3>{name}</h3>}
              <LineChart
                picture={picture}
                range={range}
                onRange={onRange}
                chosen={spotIn(point, series)}
                onChoose={onChoose}
                label={text("label", { title: name ? `${title}, ${name}` : title })}
                describe={describe}
                slider={panels.length === 1 && slots.runs.length > 2}
              />
            </section>
          ))}
        </div>
        {off > 0 && <p class="mark">{text("off", { count: off })}</p>}
        {scene.series.every(hasNoValue) && (
          <p class="blank">{text(wish.relative === null ? "none" : "no-common")}</p>
        )}
        <Key scene={scene} range={range} />
        {!seesAll && (
          <p class="downloads">
            <button type="button" onClick={() => choose({ from: undefined, to: undefined })}>
              {text("whole-range")}
            </button>
          </p>
        )}
      </figure>
      {point && <Readout at={point} scene={scene} />}
      <PointTable scene={scene} range={range} title={title} />
      <Downloads
        name={`trends-${wish.metric}`}
        rows={() =>
          rowsSeen(scene, range).map((row) => exportedPoint(row, wish.metric, wish.relative))
        }
        picture={async (kind) => {
          const { pictureFile } = await import("../../charts/picture_file");
          return pictureFile(kind, fullPicture, range, { title, subtitle });
        }}
      />
    </>
  );

  function describePoint(at: PointAt | null): string {
    if (at === null) return "";
    const value = valueWords(at, scene, say, text);
    return `${at.series.name}: ${value}, ${date(at.point.time)}`;
  }
}

function hasNoValue({ line }: DrawnSeries): boolean {
  return line.dots.every(({ value }) => value === null);
}

/** The dot that is chosen, in the chart that has it. */
function spotIn(point: PointAt | null, series: readonly DrawnSeries[]): Spot | null {
  if (point === null || !series.includes(point.series)) return null;
  return { line: point.series.id, at: point.dot.at };
}

interface Panel {
  readonly name: string;
  readonly series: readonly DrawnSeries[];
  readonly picture: LinesPicture;
}

/** One chart, or one for each value of an axis. */
function usePanels(scene: Scene, wish: Wish): readonly Panel[] {
  const { say } = useApp();
  const { by, log, zero } = wish;
  return useMemo(() => {
    const groups = grouped(scene.series, ({ case: caseRow }) =>
      by === null ? "" : String(caseRow[by]),
    );
    return [...groups].map(([value, series]) => ({
      name: by === null ? "" : axisWords(by, value, say),
      series,
      picture: pictureOf(scene, series, wish),
    }));
  }, [scene, by, log, zero, say]);
}

/** How many values the axis has no room for. */
function countOff(picture: LinesPicture, range: Range): number {
  const axis = vertical(picture.against, range, picture);
  let count = 0;
  for (const { dots } of picture.lines) {
    for (const { at, value } of dots) {
      if (value === null || at < range.from || at > range.to) continue;
      if (offAxis(axis, value) !== 0) count += 1;
    }
  }
  return count;
}
