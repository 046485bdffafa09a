/** What the signs of a chart mean: those that are in it, and how it is moved. */

import type { ComponentChildren } from "preact";
import { useWords } from "../../app/context";
import type { Range } from "../../charts/lines";
import { type MarkShape, outline } from "../../charts/mark_shapes";
import type { DrawnSeries, Scene } from "./scene";
import { trendsWords } from "./words";

export function Key({ scene, range }: { readonly scene: Scene; readonly range: Range }) {
  const text = useWords(trendsWords);
  const seen = (at: number) => at >= range.from && at <= range.to;
  const some = (kind: "marked" | "failed") =>
    scene.series.some((series) => has(series, kind, seen));
  const shapes = new Set(scene.marks.filter(({ at }) => seen(at)).map(({ shape }) => shape));
  return (
    <details class="key" open>
      <summary>{text("key.title")}</summary>
      <ul>
        {[...shapes].map((shape) => (
          <Sign key={shape} words={text(`key.${shape}`)}>
            <Shape shape={shape} />
          </Sign>
        ))}
        {some("marked") && (
          <Sign words={text("key.marked")}>
            <circle cx="8" cy="8" r="4" class="hollow" />
          </Sign>
        )}
        {some("failed") && (
          <Sign words={text("key.failed")}>
            <path d="M4 4 L12 12 M12 4 L4 12" class="hollow" />
          </Sign>
        )}
        {scene.environmentChanges.some(({ at }) => seen(at)) && (
          <Sign words={text("key.environment_change")}>
            <path d="M8 0 V16" class="environmentChange" />
          </Sign>
        )}
      </ul>
      <p class="quiet">{text("help")}</p>
    </details>
  );
}

function has({ line }: DrawnSeries, what: "marked" | "failed", seen: (at: number) => boolean) {
  return line.dots.some((dot) => dot[what] && seen(dot.at));
}

function Sign({
  words,
  children,
}: {
  readonly words: string;
  readonly children: ComponentChildren;
}) {
  return (
    <li>
      <svg width="16" height="16" aria-hidden="true">
        {children}
      </svg>{" "}
      {words}
    </li>
  );
}

export function Shape({ shape }: { readonly shape: MarkShape }) {
  const { corners, hollow } = outline(shape, 8, 8, 12);
  return <polygon points={corners.join(" ")} class={hollow ? "hollow" : "full"} />;
}
