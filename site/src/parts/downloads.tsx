/** What is shown, as files. They are made when they are asked for. */

import { useApp } from "../app/context";
import { csv, type Fields, json } from "../data/export";

interface Given {
  /** The file's name, without its ending. */
  readonly name: string;
  readonly rows: readonly Fields[];
}

export function Downloads({ name, rows }: Given) {
  const { say } = useApp();
  return (
    <p class="downloads">
      <button type="button" onClick={() => save(`${name}.csv`, "text/csv", csv(rows))}>
        {say("download.csv")}
      </button>
      <button type="button" onClick={() => save(`${name}.json`, "application/json", json(rows))}>
        {say("download.json")}
      </button>
    </p>
  );
}

function save(name: string, type: string, text: string): void {
  const href = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }));
  const link = document.createElement("a");
  link.href = href;
  link.download = name;
  link.click();
  URL.revokeObjectURL(href);
}
