import { expect, test } from "vitest";
import { checked, orProblem, Problem } from "../../src/data/load";

/** What goes wrong, by its key. */
function trouble(read: () => unknown): Problem {
  try {
    read();
  } catch (problem) {
    if (problem instanceof Problem) return problem;
  }
  throw new Error("nothing went wrong");
}

test("fields that a later minor version added are no reason to stop", () => {
  const document = { schema: 1, novelty: true };
  expect(checked(document, "index.json", 1)).toBe(document);
});

test("a newer schema is refused with what helps", () => {
  const found = trouble(() => checked({ schema: 2 }, "index.json", 1));
  expect(found.what).toBe("problem.newer");
  expect(found.values).toEqual({ path: "index.json", version: 1, found: "2" });
});

test.each([null, [], {}, { schema: "1" }, 7])("%j is no document of ours", (document) => {
  expect(trouble(() => checked(document, "index.json", 1)).what).toBe("problem.schema");
});

test("what came too late is distinguished from what never came", async () => {
  const late = Promise.reject(new DOMException("", "TimeoutError"));
  await expect(orProblem(late, "problem.fetch", "x")).rejects.toMatchObject({
    what: "problem.late",
  });
  const refused = Promise.reject(new TypeError("refused"));
  await expect(orProblem(refused, "problem.fetch", "x")).rejects.toMatchObject({
    what: "problem.fetch",
  });
});
