import { expect, test } from "vitest";
import { notesOf } from "../../../src/parts/notes";
import {
  byWorkload,
  caseLines,
  columnsOf,
  exportedCase,
  rankingsOf,
  warningsOf,
} from "../../../src/views/run/case_rows";
import { documents } from "../../documents";
import { publishedRun } from "../../published";

const { index } = documents({ runs: 2, cases: 16 });
const run = publishedRun(index, "one");
const lines = caseLines(run);

test("each workload has its rows, in the order of their ranking, then by throughput", () => {
  const groups = byWorkload(lines);
  expect([...groups.keys()]).toEqual(["hello", "pay"]);
  for (const same of groups.values()) {
    const positions = same.map(({ rank }) => rank?.position ?? 99);
    expect(positions).toEqual(positions.toSorted((a, b) => a - b));
  }
  const unranked = caseLines({ ...run, rankings: [] });
  const hello = byWorkload(unranked).get("hello");
  const rates = hello?.map(({ value }) => value("throughput_rps")?.median ?? -1);
  expect(rates).toEqual(rates?.toSorted((a, b) => b - a));
});

test("a ranking stands once, with the lines that it is of", () => {
  const found = rankingsOf(lines);
  const byThroughput = run.rankings?.filter(({ metric }) => metric === "throughput_rps");
  expect(found.size).toBe(byThroughput?.length);
  for (const [ranking, same] of found) {
    expect(
      same.map(({ case: measuredCase }) => run.cases.indexOf(measuredCase)).toSorted(),
    ).toEqual(ranking.case.toSorted());
  }
});

test("only columns with something to tell are shown: no errors are no column", () => {
  const shown = columnsOf(lines).map(({ name }) => name);
  expect(shown).toContain("throughput_rps");
  expect(shown).not.toContain("error_ratio");
  expect(shown).not.toContain("allocated_bytes_per_request");
});

test("warnings are counted by case, the most frequent first", () => {
  const other = structuredClone(run);
  for (const measuredCase of other.cases) measuredCase.warnings = [];
  const [one, two] = other.cases;
  if (one && two) {
    one.warnings = ["stalled", "errors", "errors"];
    two.warnings = ["stalled"];
  }
  expect(warningsOf(other)).toEqual([
    { code: "stalled", cases: 2 },
    { code: "errors", cases: 1 },
  ]);
});

test("a note that several cases share stands there once", () => {
  const notes = notesOf(
    run.cases.map((measuredCase) => ({ case: measuredCase, notes: measuredCase.notes ?? [] })),
  );
  expect(notes).toHaveLength(1);
  expect(notes[0]?.cases).toHaveLength(2);
});

test("a file has every metric of a case, and nothing where it failed", () => {
  const failed = lines.find(({ case: measuredCase }) => measuredCase.status === "failed");
  if (failed === undefined) throw new Error("no failed case");
  const fields = exportedCase(run, failed);
  expect(fields["throughput_rps"]).toBeNull();
  expect(fields["reason"]).toContain("did not answer");
  expect(Object.keys(fields)).toContain("startup_s_high");
});
