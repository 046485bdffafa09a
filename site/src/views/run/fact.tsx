/** One fact of a list: its name and what it is. */

import type { ComponentChildren } from "preact";

interface Props {
  readonly name: string;
  readonly children: ComponentChildren;
}

export function Fact({ name, children }: Props) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
