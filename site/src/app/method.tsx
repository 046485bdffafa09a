/** How a number is made, for whoever asks: on every page, since numbers are. */

import { useApp } from "./context";

const PARTS = ["fork", "window", "theoreticalMax", "bottleneck", "tie", "change"] as const;

export function Method() {
  const { say } = useApp();
  return (
    <details class="how">
      <summary>{say("how.title")}</summary>
      <ul>
        {PARTS.map((part) => (
          <li key={part}>{say(`how.${part}`)}</li>
        ))}
      </ul>
    </details>
  );
}
