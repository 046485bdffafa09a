/** What the newest run of a host class was, in a few lines. */

import type { ClassRow, Index } from "./contract";
import { element } from "./dom";
import { moment, quantity, subject } from "./format";
import { commitLink } from "./links";
import { markWords } from "./readout";

/** A host class in words: `AMD EPYC, 2 cores, 7,945 MiB (ab12cd34)`. */
export function hostWords({ host, class: id }: ClassRow): string {
  const cores = host.cores === 1 ? "1 core" : `${host.cores} cores`;
  return `${host.cpu_model}, ${cores}, ${quantity(host.memory_bytes, "bytes")} (${id})`;
}

/** The lines above the tables: the commit, the time, the host, and what speaks against the run. */
export function runWords(index: Index, row: ClassRow, repository: string | null): DocumentFragment {
  const made = document.createDocumentFragment();
  const at = index.runs.id.indexOf(row.latest.run);
  const which = index.runs.commit[at] ?? null;
  const commit = which === null ? undefined : index.commits[which];
  if (commit) {
    const author = element("span", { class: "quiet" }, commit.author);
    const link = commitLink(repository, commit.sha);
    made.append(element("p", {}, link, ` ${subject(commit.message)} `, author));
  }
  made.append(element("p", { class: "quiet" }, facts(index, row, at)));
  const marks = index.runs.marks[at] ?? [];
  if (marks.length > 0) {
    made.append(element("p", { class: "mark" }, `Read with care: ${markWords(marks)}.`));
  }
  return made;
}

function facts(index: Index, row: ClassRow, at: number): string {
  const started = index.runs.started_at[at];
  const failed = index.runs.failed[at] ?? 0;
  return [
    ...(started ? [`Measured ${moment(started)}`] : []),
    ...(at >= 0 ? [`profile ${index.runs.profile[at]}`] : []),
    `on ${hostWords(row)}`,
    ...(failed > 0 ? [`${failed} ${failed === 1 ? "case" : "cases"} failed`] : []),
  ].join(", ");
}
