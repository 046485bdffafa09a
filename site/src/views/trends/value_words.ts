/** A value in words, as it is drawn, and as it was measured where that is another. */

import { LOST } from "../../data/points";
import { known } from "../../parts/marks";
import { change, quantity } from "../../words/format";
import type { Say } from "../../words/words";
import type { ViewText } from "./caption";
import type { PointAt, Scene } from "./scene";

/** `199/s`; `−3.1 % (199/s)` where it is relative; the reason where there is none. */
export function valueWords(
  { point, dot }: Pick<PointAt, "point" | "dot">,
  scene: Scene,
  say: Say,
  text: ViewText,
): string {
  if (point.status === LOST) return text("value.lost");
  if (point.median === null) {
    return point.status === "ok" ? text("value.none") : known("status", point.status, say);
  }
  const measured = quantity(point.median, scene.unit);
  if (dot.value === null || !scene.ratios) return measured;
  return `${change(dot.value)} (${measured})`;
}
