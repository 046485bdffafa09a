/** An interval drawn around the line of no change: which side it lies on is seen at a glance. */

const WIDTH = 120;
const HEIGHT = 16;
/** Of the logarithm: what is further off ends at the edge. */
const MOST = Math.log(1.5);

interface Given {
  readonly ratio: number;
  readonly low: number;
  readonly high: number;
  readonly changed: boolean;
}

export function Picture({ ratio, low, high, changed }: Given) {
  const [from, to, at] = [place(low), place(high), place(ratio)];
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

function place(ratio: number): number {
  const share = Math.max(-1, Math.min(1, Math.log(ratio) / MOST));
  return WIDTH / 2 + (share * (WIDTH - 8)) / 2;
}
