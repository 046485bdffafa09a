/** A few words on warning paper: what is so, and what helps. */

import type { ComponentChildren } from "preact";

interface Given {
  readonly what: string;
  readonly remedy: ComponentChildren;
  readonly children?: ComponentChildren;
}

export function Saying({ what, remedy, children }: Given) {
  return (
    <div class="notice" role="note">
      <strong>{what}</strong>
      {children}
      <p>{remedy}</p>
    </div>
  );
}
