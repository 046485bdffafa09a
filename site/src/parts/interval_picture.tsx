/** An interval drawn around the line of no change: which side it lies on is seen at a glance. */

import "./interval_picture.css";
import type { Ratio } from "../data/ratio";

const WIDTH = 120;
const HEIGHT = 16;
/** Of the logarithm: noise of a per cent must not fill the width, and one outlier not flatten all. */
const LEAST = Math.log(1.05);
const MOST = Math.log(2);

/** How far the pictures of a table reach, so that they may be compared with each other. */
export function reachOf(ratios: readonly (Ratio | null)[]): number {
  const edges = ratios.flatMap((ratio) => [ratio?.low, ratio?.high]);
  const sizes = edges.flatMap((edge) => (edge ? [Math.abs(Math.log(edge))] : []));
  return Math.min(MOST, Math.max(LEAST, ...sizes));
}

interface Props {
  /** Of the logarithm; what is further off ends at the edge. */
  readonly reach: number;
  readonly ratio: number;
  readonly low: number;
  readonly high: number;
  readonly changed: boolean;
}

export function IntervalPicture({ reach, ratio, low, high, changed }: Props) {
  const [from, to, at] = [low, high, ratio].map((value) => xOf(value, reach));
  return (
    <svg
      class={changed ? "picture changed" : "picture"}
      width={WIDTH}
      height={HEIGHT}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      aria-hidden="true"
    >
      <line class="axis" x1={WIDTH / 2} x2={WIDTH / 2} y1="0" y2={HEIGHT} />
      <line class="range" x1={from} x2={to} y1={HEIGHT / 2} y2={HEIGHT / 2} />
      <circle cx={at} cy={HEIGHT / 2} r="3" />
    </svg>
  );
}

function xOf(ratio: number, reach: number): number {
  const share = Math.max(-1, Math.min(1, Math.log(ratio) / reach));
  return WIDTH / 2 + (share * (WIDTH - 8)) / 2;
}
