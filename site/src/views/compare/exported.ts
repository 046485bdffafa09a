/** A row of a comparison as it goes into a file: base units, the page's own names. Pure. */

import type { Fields } from "../../data/export";
import type { ComparedRow } from "./rows";

export function exported(row: ComparedRow): Fields {
  const { case: caseRow, base, head, ratio } = row;
  return {
    case: caseRow.case,
    configuration: caseRow.configuration,
    metric: row.metric,
    unit: row.unit,
    better: row.better,
    base: base?.median ?? null,
    base_low: base?.low ?? null,
    base_high: base?.high ?? null,
    base_forks: base?.forks ?? null,
    head: head?.median ?? null,
    head_low: head?.low ?? null,
    head_high: head?.high ?? null,
    head_forks: head?.forks ?? null,
    pairs: row.pairs,
    ratio: ratio?.ratio ?? null,
    low_ratio: ratio?.low ?? null,
    high_ratio: ratio?.high ?? null,
    verdict: row.verdict,
    why: row.why,
    note: row.note ?? null,
  };
}
