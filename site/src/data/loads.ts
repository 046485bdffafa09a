/** The loads that cases were measured under: a workload, and its numbers of connections. Pure. */

import type { CaseRow } from "./contract";
import { grouped } from "./group";
import type { LatestRow } from "./latest";
import { subjectOf } from "./service";

export interface Load<Row = LatestRow> {
  /** As an address names it: the workload, after its service where there are several. */
  readonly id: string;
  readonly workload: string;
  /** Null where all loads are of one service, or of servers of Spring Boot. */
  readonly service: string | null;
  /** The numbers of connections, ascending, each with the cases that have it. */
  readonly counts: readonly { readonly connections: number; readonly rows: readonly Row[] }[];
}

export function loadsOf<Row extends { readonly case: CaseRow }>(
  rows: readonly Row[],
): readonly Load<Row>[] {
  const subject = subjectOf(rows.map((row) => row.case));
  const idOf = ({ case: caseRow }: Row) =>
    [subject(caseRow), caseRow.workload].filter((part) => part !== null).join("/");
  return [...grouped(rows, idOf)].map(([id, same]) => ({
    id,
    workload: same[0]?.case.workload ?? "",
    service: same[0] ? subject(same[0].case) : null,
    counts: [...grouped(same, (row) => row.case.connections)]
      .map(([connections, countRows]) => ({ connections, rows: countRows }))
      .toSorted((a, b) => a.connections - b.connections),
  }));
}

/** The load of that workload, else the first one that has what is wanted, else the first. */
export function settleLoad<Row>(
  loads: readonly Load<Row>[],
  requestedLoad: string | null,
  accepts: (load: Load<Row>) => boolean = () => true,
): Load<Row> | null {
  const named =
    loads.find(({ id }) => id === requestedLoad) ??
    loads.find(({ workload }) => workload === requestedLoad);
  return named ?? loads.find(accepts) ?? loads[0] ?? null;
}

/** The rows at that number of connections, else at the one that most variants have. */
export function settleCount<Row>(
  load: Load<Row>,
  requestedCount: string | null,
): Load<Row>["counts"][number] | null {
  const named = load.counts.find(({ connections }) => String(connections) === requestedCount);
  const [most] = load.counts.toSorted((a, b) => b.rows.length - a.rows.length);
  return named ?? most ?? null;
}
