/** The points that are seen as a table, for those who would rather read them. */

import { useMemo, useState } from "preact/hooks";
import { useApp, useWords } from "../../app/context";
import type { Range } from "../../charts/lines";
import { Commit } from "../../parts/commit";
import { DataTable } from "../../parts/data_table";
import { bottleneckWords, markWords } from "../../parts/marks";
import { ABSENT, date, interval, oneLine, quantity, subject } from "../../words/format";
import { countSeen, rowsSeen } from "./exported";
import type { Scene } from "./scene";
import { valueWords } from "./value_words";
import { trendsWords } from "./words";

interface Props {
  readonly scene: Scene;
  readonly range: Range;
  readonly title: string;
}

/** Made when it is first opened. */
export function PointTable({ scene, range, title }: Props) {
  const text = useWords(trendsWords);
  const [open, setOpen] = useState(false);
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{text("table", { count: quantity(countSeen(scene, range), "count") })}</summary>
      {open && <Points scene={scene} range={range} title={title} />}
    </details>
  );
}

function Points({ scene, range, title }: Props) {
  const { say } = useApp();
  const text = useWords(trendsWords);
  const rows = useMemo(() => rowsSeen(scene, range), [scene, range]);
  const heads = [
    { words: text("col.commit") },
    { words: text("col.date"), kind: "text" as const },
    { words: text("col.series"), kind: "text" as const },
    { words: text("col.value") },
    { words: text("col.interval") },
    { words: text("col.forks") },
    { words: text("col.bottleneck"), kind: "text" as const },
    { words: text("col.notes"), kind: "text" as const },
    { words: text("col.message"), kind: "text" as const },
  ];
  const cells = (at: number) => {
    const row = rows[at];
    const dot = row?.series.line.dots[row.index];
    if (row === undefined || dot === undefined) return [];
    const { point, series } = row;
    return [
      point.sha === null ? ABSENT : <Commit sha={point.sha} />,
      date(point.time),
      series.name,
      valueWords({ point, dot }, scene, say, text),
      point.n > 1 ? interval(point.low, point.high, scene.unit, say) : ABSENT,
      point.n,
      bottleneckWords(point.bottleneck, say) || ABSENT,
      markWords(point.marks, say) || ABSENT,
      oneLine(subject(point.message)),
    ];
  };
  return <DataTable label={title} heads={heads} count={rows.length} row={cells} />;
}
