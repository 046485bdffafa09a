/** What the newest points of a host class are of, in a few lines. */

import type { ClassRow, Index } from "./contract";
import { element } from "./dom";
import { date, quantity } from "./format";
import { latestRows } from "./latest";
import { commitLink } from "./links";
import { markWords } from "./readout";

/** A host class in words: `AMD EPYC, 2 cores, 7,945 MiB (ab12cd34)`. */
export function hostWords({ host, class: id }: ClassRow): string {
  const cores = host.cores === 1 ? "1 core" : `${host.cores} cores`;
  return `${host.cpu_model}, ${cores}, ${quantity(host.memory_bytes, "bytes")} (${id})`;
}

/** The lines above the tables: the newest commit, the times, the host, what speaks against them. */
export function runWords(index: Index, row: ClassRow, repository: string | null): DocumentFragment {
  const made = document.createDocumentFragment();
  const rows = latestRows(index, row);
  const newest = rows.toSorted((a, b) => a.startedAt.localeCompare(b.startedAt)).at(-1);
  if (newest?.sha) {
    const link = commitLink(repository, newest.sha);
    made.append(element("p", {}, "Each case as it was measured last; the newest is ", link, "."));
  }
  made.append(element("p", { class: "quiet" }, facts(row, rows)));
  const marks = [...new Set(rows.flatMap((each) => each.marks))];
  if (marks.length > 0) {
    made.append(element("p", { class: "mark" }, `Some to read with care: ${markWords(marks)}.`));
  }
  return made;
}

function facts(row: ClassRow, rows: ReturnType<typeof latestRows>): string {
  const days = rows.map(({ startedAt }) => startedAt).sort();
  const [from, to] = [date(days[0] ?? ""), date(days.at(-1) ?? "")];
  const failed = rows.filter(({ status }) => status === "failed").length;
  return [
    rows.length === 1 ? "One case" : `${rows.length} cases`,
    ...(days.length > 0 ? [`measured ${from === to ? to : `${from} to ${to}`}`] : []),
    `on ${hostWords(row)}`,
    ...(failed > 0 ? [`${failed} ${failed === 1 ? "case" : "cases"} failed`] : []),
  ].join(", ");
}
