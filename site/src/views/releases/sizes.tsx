/** How large a step is, metric by metric. */

import { useApp } from "../../app/context";
import { changesOf } from "../../data/changes";
import type { Event } from "../../data/contract";
import { change, metricName, unbroken } from "../../words/format";

export function Sizes({ event }: { readonly event: Event }) {
  const { say } = useApp();
  return (
    <>
      {changesOf(event).map(({ metric, ratio, low, high }) => (
        <span class="size" key={metric}>
          {metricName(metric, say)} <strong>{unbroken(change(ratio))}</strong>{" "}
          <span class="quiet">
            {say("interval.range", { low: change(low), high: change(high) })}
          </span>
        </span>
      ))}
    </>
  );
}
