import { expect, test } from "vitest";
import type { Event } from "../../../src/data/contract";
import { stepsOf } from "../../../src/views/releases/found";

const HOST = "a-host";
const CASE = "boot4-tomcat-virtual-jvm/hello/100";

function event(before: string, after: string, state: Event["state"] = "confirmed"): Event {
  const commit = (message: string) => ({ sha: "eeeeeeeeeeee", time: "", message, author: "" });
  return {
    id: `improvement-${after}`,
    kind: "step",
    direction: "improvement",
    state,
    culprit: { before: commit(before), after: commit(after) },
    run: "run",
    shared: "",
    affected_series: [{ case: CASE, host_class: HOST }] as unknown as Event["affected_series"],
  };
}

test("steps are those between releases, the oldest first, without what was rejected", () => {
  const found = stepsOf(
    [
      event("Spring Boot 4.0.9", "Spring Boot 4.0.10", "suspected"),
      event("Spring Boot 3.5.6", "Spring Boot 3.5.7"),
      event("Spring Boot 3.5.6", "Spring Boot 3.5.7", "rejected"),
      event("Faster", "Bump Spring Boot 3.5.8"),
    ],
    new Set([CASE]),
    HOST,
  );
  expect(found.map(({ before, after }) => [before, after])).toEqual([
    ["3.5.6", "3.5.7"],
    ["4.0.9", "4.0.10"],
  ]);
  const steps = [event("Spring Boot 4.0.0", "Spring Boot 4.0.1")];
  expect(stepsOf(steps, new Set(), HOST)).toEqual([]);
  expect(stepsOf(steps, new Set([CASE]), "another-host")).toEqual([]);
});
