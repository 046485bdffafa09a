/** Figures of an answer as rows of a file. Pure. */

import type { AnsweredRow } from "../../data/answers";
import type { Fields } from "../../data/export";

export function fieldsOf(row: AnsweredRow): Fields {
  const { case: id, subject, step, processes, counted, bottleneck, not_measured, failed } = row;
  const values = Object.entries(row.values ?? {}).flatMap(([name, { median, low, high }]) => [
    [name, median],
    [`${name}_low`, low],
    [`${name}_high`, high],
  ]);
  const ratios = Object.entries(row.ratios ?? {}).flatMap(
    ([name, { ratio, low, high, verdict }]) => [
      [`${name}_ratio`, ratio],
      [`${name}_ratio_low`, low ?? null],
      [`${name}_ratio_high`, high ?? null],
      [`${name}_verdict`, verdict],
    ],
  );
  return {
    case: id,
    subject,
    step,
    processes,
    counted: counted ?? null,
    bottleneck: bottleneck ?? null,
    not_measured: not_measured ?? null,
    failed: failed ? "yes" : null,
    ...Object.fromEntries([...values, ...ratios]),
  };
}
