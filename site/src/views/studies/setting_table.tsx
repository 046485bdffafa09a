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
  const own = useWords(studyWords);
  const { host } = row;
  const memory = quantity(host.memory_bytes, "bytes");
  const machine = own("here.machine", { cores: host.cores, cpu: oneLine(host.cpu_model), memory });
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
    ["setting.tool", setting.tool, own("here.tool")],
  ];
  return (
    <details>
      <summary>{own("differs")}</summary>
      <table>
        <TableHead
          heads={[
            { words: own("col.what") },
            { words: own("col.there"), kind: "text" },
            { words: own("col.here"), kind: "text" },
          ]}
        />
        <tbody>
          {lines.map(([what, there, here]) => (
            <tr key={what}>
              <th scope="row">{own(what)}</th>
              <td class="text">{there ?? own("unstated")}</td>
              <td class="text">{here}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}
