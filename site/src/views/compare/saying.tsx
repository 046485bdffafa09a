/** A few words on warning paper: what is so, and what helps. */

import type { ComponentChildren } from "preact";

interface Props {
  readonly what: string;
  readonly remedy: ComponentChildren;
  readonly children?: ComponentChildren;
}

export function Message({ what, remedy, children }: Props) {
  return (
    <div class="notice" role="note">
      <strong>{what}</strong>
      {children}
      <p>{remedy}</p>
    </div>
  );
}
