/** Which load is shown: a workload, and where it matters its number of connections. */

import { useApp } from "../app/context";
import type { Load } from "../data/loads";
import { quantity } from "../words/format";
import { known } from "./marks";

interface Given {
  readonly loads: readonly Load[];
  readonly load: Load;
  /** The chosen number; left out by a view that shows all numbers at once. */
  readonly connections?: number;
}

export function LoadPicker({ loads, load, connections }: Given) {
  const { say, choose } = useApp();
  return (
    <div class="filters">
      <label>
        {say("axis.workload")}
        <select
          id="workload"
          value={load.workload}
          onChange={({ currentTarget: { value } }) =>
            choose({ workload: value, connections: undefined })
          }
        >
          {loads.map(({ workload }) => (
            <option key={workload} value={workload}>
              {known("workload", workload, say)}
            </option>
          ))}
        </select>
      </label>
      {connections !== undefined && (
        <label>
          {say("axis.connections")}
          <select
            id="connections"
            value={String(connections)}
            onChange={({ currentTarget: { value } }) => choose({ connections: value })}
          >
            {load.counts.map((each) => (
              <option key={each.connections} value={String(each.connections)}>
                {quantity(each.connections, "count")}
              </option>
            ))}
          </select>
        </label>
      )}
    </div>
  );
}
