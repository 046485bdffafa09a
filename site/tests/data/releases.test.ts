import { expect, test } from "vitest";
import type { CaseRow } from "../../src/data/contract";
import { LOST, type Point } from "../../src/data/points";
import { byRelease, isOverReleases, versionsOf } from "../../src/data/releases";

const OF: CaseRow = {
  case: "boot4-tomcat-virtual-jvm/hello/64",
  configuration: "releases-1x6s",
  boot: "boot4",
  server: "tomcat",
  model: "virtual",
  runtime: "jvm",
  workload: "hello",
  connections: 64,
};

function point(version: string | null, median: number | null, status = "ok"): Point {
  return {
    run: `${version}-1`,
    time: "2026-01-01T00:00:00Z",
    startedAt: "2026-01-01T00:00:00Z",
    sha: version === null ? null : `sha of ${version}`,
    message: `Spring Boot ${version}`,
    author: "",
    median,
    low: null,
    high: null,
    n: 1,
    status,
    bottleneck: null,
    marks: [],
    url: null,
    branch: null,
    boots: version === null ? {} : { boot4: version, boot3: "3.5.0" },
    environment: "",
  };
}

test("the runs of a release are one value, between the least and the greatest of them", () => {
  const { values } = byRelease(OF, [point("4.0.1", 10), point("4.0.0", 8), point("4.0.1", 40)]);
  expect(values.map(({ version }) => version)).toEqual(["4.0.0", "4.0.1"]);
  expect(values[1]).toMatchObject({ low: 10, high: 40, runs: 2, sha: "sha of 4.0.1" });
  expect(values[1]?.value).toBeCloseTo(20);
});

test("releases are ordered as numbers, over all series", () => {
  const one = byRelease(OF, [point("4.0.10", 1), point("4.0.9", 1)]);
  const other = byRelease(OF, [point("4.1.0", 1), point("4.0.2", 1)]);
  expect(versionsOf([one, other])).toEqual(["4.0.2", "4.0.9", "4.0.10", "4.1.0"]);
});

test("what failed, was lost or has no version is left out", () => {
  const { values } = byRelease(OF, [
    point("4.0.0", null, "failed"),
    point(null, 10),
    point("4.0.1", null, LOST),
    point("4.0.2", 0),
  ]);
  expect(values).toEqual([]);
});

test("the profile tells a series over releases", () => {
  expect(isOverReleases(OF)).toBe(true);
  expect(isOverReleases({ ...OF, configuration: "nightly-3x10s" })).toBe(false);
});
