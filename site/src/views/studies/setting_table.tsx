/** How the study measured, and how its counterparts here were. */

import { useApp, useWords } from "../../app/context";
import { distinct } from "../../data/cases";
import type { Pair, Setting } from "../../data/studies";
import { TableHead } from "../../parts/table_head";
import { oneLine, quantity } from "../../words/format";
import { type StudyWord, studyWords } from "./words";

interface Props {
  readonly setting: Setting;
  readonly pairs: readonly Pair[];
}

export function SettingTable({ setting, pairs }: Props) {
  const { row } = useApp();
  const text = useWords(studyWords);
  const { host } = row;
  const memory = quantity(host.memory_bytes, "bytes");
  const machine = text("here.machine", { cores: host.cores, cpu: oneLine(host.cpu_model), memory });
  const limit = setting.memory_limit_bytes;
  const boots = distinct(pairs.flatMap((pair) => pair.row?.case.boot ?? []));
  const lines: readonly (readonly [StudyWord, string | undefined, string])[] = [
    ["setting.machine", setting.machine, machine],
    [
      "setting.memory",
      limit === undefined ? undefined : quantity(limit, "bytes"),
      quantity(host.memory_limit_bytes, "bytes"),
    ],
    ["setting.boot", setting.boot_version, boots.map(oneLine).join(", ")],
    ["setting.tool", setting.tool, text("here.tool")],
  ];
  return (
    <details>
      <summary>{text("differs")}</summary>
      <table>
        <TableHead
          heads={[
            { words: text("col.what") },
            { words: text("col.there"), kind: "text" },
            { words: text("col.here"), kind: "text" },
          ]}
        />
        <tbody>
          {lines.map(([what, studyValue, hostValue]) => (
            <tr key={what}>
              <th scope="row">{text(what)}</th>
              <td class="text">{studyValue ?? text("unstated")}</td>
              <td class="text">{hostValue}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}
