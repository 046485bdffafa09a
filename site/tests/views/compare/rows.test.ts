import { expect, test } from "vitest";
import { caseNamed } from "../../../src/data/cases";
import type { PublishedComparison, PublishedRun } from "../../../src/data/published";
import { facing, sameCommit } from "../../../src/data/published";
import type { Conclude } from "../../../src/views/compare/conclusions";
import { differences, factsOf, measuredFacts } from "../../../src/views/compare/facts";
import { paired, sharesHost } from "../../../src/views/compare/pairs";
import {
  comparedMetrics,
  latestSides,
  measuredRows,
  rowsOf,
  sidesOf,
} from "../../../src/views/compare/rows";
import { documents } from "../../documents";
import { comparison, publishedRun } from "../../published";

const { index } = documents({ runs: 3, cases: 16 });
const metrics = comparedMetrics(index);

function sides(change: (run: PublishedRun) => void = () => undefined) {
  const run = structuredClone(publishedRun(index, "one"));
  change(run);
  return sidesOf(run);
}

const nothing: Conclude = () => ({ verdict: "unknown", why: "no-step" });
const byCase = ({ case: measuredCase }: { case: { case: string } }) => measuredCase.case;

test("two runs of one way are compared case by case, in each metric", () => {
  const pairing = paired(sides(), sides(), byCase);
  expect(pairing.pairs).toHaveLength(16);
  const [pair] = pairing.pairs;
  if (pair === undefined) throw new Error("no pair");
  const rows = rowsOf(...pair, metrics, nothing);
  expect(rows.map(({ metric }) => metric)).toEqual(index.metrics.map(({ name }) => name));
  expect(rows.every(({ ratio }) => ratio === null || ratio.ratio === 1)).toBe(true);
});

test("cases that were measured in another way, or elsewhere, are left out and counted", () => {
  const head = sides((run) => {
    const [one, two] = run.cases;
    if (one) one.configuration = "nightly-3x10s";
    if (two) two.case = "boot4-other-virtual-jvm/hello/100";
  });
  const pairing = paired(sides(), head, byCase);
  expect(pairing).toMatchObject({
    onlyBase: 1,
    onlyHead: 1,
    unlike: ["nightly-3x10s"],
    otherHosts: 0,
  });
  expect(pairing.pairs).toHaveLength(14);
});

test("runs of two host classes share nothing to compare", () => {
  const other = sides((run) => {
    for (const { host } of run.shards) host.class = "decaf000";
  });
  expect(sharesHost(sides(), sides())).toBe(true);
  expect(sharesHost(sides(), other)).toBe(false);
  expect(paired(sides(), other, byCase)).toMatchObject({ pairs: [], otherHosts: 16 });
});

test("a case that failed on one side has no verdict but a fact", () => {
  const [base] = sides();
  const [head] = sides((run) => {
    const [one] = run.cases;
    if (one) one.status = "failed";
  });
  if (!(base && head)) throw new Error("no sides");
  expect(rowsOf(base, head, metrics, nothing).every(({ why }) => why === "failed")).toBe(true);
  expect(factsOf(base, head)).toMatchObject([{ what: "status", verdict: "worse" }]);
  expect(factsOf(head, base)).toMatchObject([{ what: "status", verdict: "better" }]);
});

test("the newest points of two variants share their loads", () => {
  const [row] = index.classes;
  if (row === undefined) throw new Error("no class");
  const a = latestSides(index, row, "boot4-tomcat-virtual-jvm");
  const b = latestSides(index, row, "boot4-jetty-virtual-jvm");
  const pairing = paired(a, b, ({ case: caseRow }) => `${caseRow.workload}/${caseRow.connections}`);
  expect(pairing.pairs.map(([, { case: caseRow }]) => caseRow.workload)).toEqual(["hello", "pay"]);
});

test("of several measured comparisons the one with most pairs counts", () => {
  const fewer = comparison({ pairs: 4, ratio: 1.2, verdict: "undecided" });
  const rows = measuredRows(index, [fewer, comparison({ pairs: 12, ratio: 0.9 }), fewer]);
  expect(rows).toHaveLength(1);
  expect(rows[0]).toMatchObject({ pairs: 12, verdict: "worse", ratio: { ratio: 0.9 } });
});

test("a comparison of the same commits the other way round is turned", () => {
  const original = comparison({ ratio: 0.8, verdict: "regression" });
  const back = facing(original, original.head.sha, original.base.sha) as PublishedComparison;
  const finding = back.findings[0];
  expect(finding?.verdict).toBe("improvement");
  expect(finding?.ratio).toBeCloseTo(1.25);
  expect(finding?.low_ratio ?? 0).toBeLessThan(finding?.high_ratio ?? 0);
  expect(facing(original, "0123456789ab", original.head.sha)).toBeNull();
});

test("facts that say nothing has changed are not listed", () => {
  const facts = [
    { case: "x", metric: "headers", base: "a", head: "b", verdict: "changed" },
    { case: "y", metric: "headers", base: "a", head: "a", verdict: "unchanged" },
  ] as const;
  const found = measuredFacts(index, [{ ...comparison({}), facts: [...facts] }]);
  expect(found.map(({ case: caseRow, verdict }) => [caseRow.case, verdict])).toEqual([
    ["x", "changed"],
  ]);
});

test("a case that the index does not know keeps what its name says", () => {
  expect(caseNamed(index, "mine-jvm/pay/300")).toMatchObject({ workload: "pay", connections: 300 });
  expect(caseNamed(index, "mine")).toMatchObject({ workload: "", connections: 0 });
});

test("what of the software differs is named", () => {
  const [base, head] = [publishedRun(index, "one"), publishedRun(index, "two")];
  const other = structuredClone(head);
  for (const { tools } of other.shards) tools.jdk = "25.0.2";
  expect(differences(base, head)).toEqual([]);
  expect(differences(base, other)).toEqual([{ what: "jdk", base: "25.0.1", head: "25.0.2" }]);
});

test("a short hash names the commit of a long one, a few digits name none", () => {
  expect(sameCommit("0123456", "0123456789ab")).toBe(true);
  expect(sameCommit("012345", "0123456789ab")).toBe(false);
  expect(sameCommit("0123457", "0123456789ab")).toBe(false);
});
