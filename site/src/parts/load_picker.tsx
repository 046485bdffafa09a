/** Which load is shown: a workload, and where it matters its number of connections. */

import { useApp } from "../app/context";
import type { Load } from "../data/loads";
import { oneLine, quantity } from "../words/format";
import type { Say } from "../words/words";
import { known } from "./marks";

interface Props {
  readonly loads: readonly Load<unknown>[];
  readonly load: Load<unknown>;
  /** The chosen number; left out by a view that shows all numbers at once. */
  readonly connections?: number;
}

export function LoadPicker({ loads, load, connections }: Props) {
  const { say, choose } = useApp();
  const counts = load.counts.map((count) => count.connections);
  return (
    <div class="filters">
      <Pick
        id="workload"
        label={say("axis.workload")}
        words={loads.map((option) => loadWords(option, say))}
        chosen={loads.indexOf(load)}
        onChoose={(at) => choose({ workload: loads[at]?.id, connections: undefined })}
      />
      {connections !== undefined && (
        <Pick
          id="connections"
          label={say("axis.connections")}
          words={counts.map((count) => quantity(count, "count"))}
          chosen={counts.indexOf(connections)}
          onChoose={(at) => choose({ connections: counts[at] })}
        />
      )}
    </div>
  );
}

function loadWords({ service, workload }: Load<unknown>, say: Say): string {
  const words = known("workload", workload, say);
  return service === null ? words : `${oneLine(service)}: ${words}`;
}

interface PickProps {
  readonly id: string;
  readonly label: string;
  readonly words: readonly string[];
  readonly chosen: number;
  readonly onChoose: (at: number) => void;
}

/** One of several, by its place: published names are no attributes. Of one there is no choice. */
function Pick({ id, label, words, chosen, onChoose }: PickProps) {
  if (words.length < 2) {
    return (
      <p class="only-one">
        <span class="quiet">{label}</span> {words[0]}
      </p>
    );
  }
  return (
    <label>
      {label}
      <select
        id={id}
        value={String(chosen)}
        onChange={({ currentTarget: { value } }) => onChoose(Number(value))}
      >
        {words.map((option, at) => (
          <option key={at} value={String(at)}>
            {option}
          </option>
        ))}
      </select>
    </label>
  );
}
