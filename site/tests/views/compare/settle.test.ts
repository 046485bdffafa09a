import { expect, test } from "vitest";
import { type RunRow, runRows } from "../../../src/data/runs";
import { settleEnds } from "../../../src/views/compare/settle";
import { documents } from "../../documents";

const { index } = documents({ runs: 4, cases: 1 });
const runs = runRows(index);

test("runs are listed newest first", () => {
  expect(runs.map(({ id }) => id)).toEqual(index.runs.id.toReversed());
  expect(runs[0]).toMatchObject({ profile: "push", author: "A. Committer" });
});

test("without a choice the newest run is compared with the one before it", () => {
  const ends = settleEnds(runs, null, null);
  expect([ends?.base.run?.id, ends?.head.run?.id]).toEqual([runs[1]?.id, runs[0]?.id]);
});

test("the run before is one of the same profile and of another commit", () => {
  const [newest, second, third, fourth] = runs as [RunRow, RunRow, RunRow, RunRow];
  const mixed = [newest, { ...second, sha: newest.sha }, { ...third, profile: "nightly" }, fourth];
  expect(settleEnds(mixed, null, null)?.base.run?.id).toBe(fourth.id);
});

test("of a commit's runs the one of the other side's profile is taken", () => {
  const [newest, second, third] = runs as [RunRow, RunRow, RunRow];
  const twice = [newest, { ...second, profile: "nightly" }, { ...third, sha: second.sha }];
  const ends = settleEnds(twice, second.sha, newest.sha);
  expect(ends?.base.run?.id).toBe(third.id);
});

test("a run is known by its id, a commit by a short or a full hash", () => {
  const [newest, second] = runs as [RunRow, RunRow];
  const full = `${second.sha}${"0".repeat(28)}`;
  const ends = settleEnds(runs, full, newest.id);
  expect([ends?.base.run?.id, ends?.head.run?.id]).toEqual([second.id, newest.id]);
  expect(settleEnds(runs, second.sha?.slice(0, 7) ?? "", null)?.base.run?.id).toBe(second.id);
});

test("what no list has is kept as it was asked for", () => {
  const ends = settleEnds(runs, "fedcba9876543210", "some-older-run");
  expect(ends?.base).toEqual({ name: "fedcba9876543210", sha: "fedcba9876543210", run: null });
  expect(ends?.head).toEqual({ name: "some-older-run", sha: null, run: null });
});

test("one run alone has nothing to be compared with", () => {
  expect(settleEnds(runs.slice(0, 1), null, null)).toBeNull();
  expect(settleEnds([], null, null)).toBeNull();
});

test("a run of one service is compared with one of the same", () => {
  const [a, b, c, d] = runs as [RunRow, RunRow, RunRow, RunRow];
  const mixed = [
    { ...a, service: "orders", sha: c.sha },
    { ...b, service: "payments", sha: c.sha },
    { ...c, service: "payments", sha: d.sha },
    { ...d, service: "orders" },
  ];
  const idsOf = (ends: ReturnType<typeof settleEnds>) => [ends?.base.run?.id, ends?.head.run?.id];
  expect(idsOf(settleEnds(mixed, null, null))).toEqual([d.id, a.id]);
  expect(idsOf(settleEnds(mixed, null, b.id))).toEqual([c.id, b.id]);
  expect(idsOf(settleEnds(mixed, d.sha, b.id))).toEqual([c.id, b.id]);
  expect(idsOf(settleEnds(mixed, c.id, null))).toEqual([c.id, b.id]);
  // of commits alone both ends are of the newest one's service
  expect(idsOf(settleEnds(mixed, d.sha, c.sha))).toEqual([d.id, a.id]);
});

test("a run that does not say its service may be of any", () => {
  const [a, b] = runs as [RunRow, RunRow];
  const older = [{ ...a, service: "orders" }, b];
  expect(b.service).toBeNull();
  expect(settleEnds(older, null, null)?.base.run?.id).toBe(b.id);
  expect(
    settleEnds(
      [
        { ...a, service: "orders" },
        { ...b, service: "x" },
      ],
      null,
      null,
    ),
  ).toBeNull();
});
