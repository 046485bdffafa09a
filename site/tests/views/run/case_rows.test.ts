import { expect, test } from "vitest";
import {
  byWorkload,
  caseLines,
  columnsOf,
  exportedCase,
  notesOf,
  warningsOf,
} from "../../../src/views/run/case_rows";
import { documents } from "../../documents";
import { publishedRun } from "../../published";

const { index } = documents({ runs: 2, cases: 16 });
const run = publishedRun(index, "one");
const lines = caseLines(run);

test("each workload has its rows, the best throughput first", () => {
  const groups = byWorkload(lines);
  expect([...groups.keys()]).toEqual(["hello", "pay"]);
  const rates = groups.get("hello")?.map(({ value }) => value("throughput_rps")?.median ?? -1);
  expect(rates).toEqual(rates?.toSorted((a, b) => b - a));
});

test("only columns with something to tell are shown: no errors are no column", () => {
  const shown = columnsOf(lines).map(({ name }) => name);
  expect(shown).toContain("throughput_rps");
  expect(shown).not.toContain("error_ratio");
  expect(shown).not.toContain("allocated_bytes_per_request");
});

test("warnings are counted by case, the most frequent first", () => {
  const other = structuredClone(run);
  for (const of of other.cases) of.warnings = [];
  const [one, two] = other.cases;
  if (one && two) {
    one.warnings = ["stolen", "errors", "errors"];
    two.warnings = ["stolen"];
  }
  expect(warningsOf(other)).toEqual([
    { code: "stolen", cases: 2 },
    { code: "errors", cases: 1 },
  ]);
});

test("a note that several cases share stands there once", () => {
  const notes = notesOf(lines);
  expect(notes).toHaveLength(1);
  expect(notes[0]?.of).toHaveLength(2);
});

test("a file has every metric of a case, and nothing where it failed", () => {
  const failed = lines.find(({ of }) => of.status === "failed");
  if (failed === undefined) throw new Error("no failed case");
  const fields = exportedCase(run, failed);
  expect(fields["throughput_rps"]).toBeNull();
  expect(fields["reason"]).toContain("did not answer");
  expect(Object.keys(fields)).toContain("startup_s_high");
});
