/** What is shown, as files. They are made when they are asked for. */

import { useState } from "preact/hooks";
import { useApp } from "../app/context";
import { csv, type Fields, json } from "../data/export";

interface Props {
  /** The file's name, without its ending. */
  readonly name: string;
  readonly rows: readonly Fields[] | (() => readonly Fields[]);
  /** Makes a picture of the chart above; none where there is only a table. */
  readonly picture?: (kind: "png" | "svg") => Promise<Blob>;
}

export function Downloads({ name, rows, picture }: Props) {
  const { say } = useApp();
  const [failed, setFailed] = useState(false);
  const readRows = () => (typeof rows === "function" ? rows() : rows);
  const draw = (kind: "png" | "svg") => {
    setFailed(false);
    picture?.(kind).then(
      (blob) => save(`${name}.${kind}`, blob),
      () => setFailed(true),
    );
  };
  return (
    <p class="downloads">
      <button type="button" onClick={() => save(`${name}.csv`, file("text/csv", csv(readRows())))}>
        {say("download.csv")}
      </button>
      <button
        type="button"
        onClick={() => save(`${name}.json`, file("application/json", json(readRows())))}
      >
        {say("download.json")}
      </button>
      {picture && (
        <>
          <button type="button" onClick={() => draw("png")}>
            {say("download.png")}
          </button>
          <button type="button" onClick={() => draw("svg")}>
            {say("download.svg")}
          </button>
        </>
      )}
      {failed && <span role="alert">{say("download.failed")}</span>}
    </p>
  );
}

function file(type: string, text: string): Blob {
  return new Blob([text], { type: `${type};charset=utf-8` });
}

function save(name: string, blob: Blob): void {
  const href = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = href;
  link.download = name;
  link.click();
  URL.revokeObjectURL(href);
}
