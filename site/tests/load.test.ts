import { expect, test } from "vitest";
import { checked, Problem } from "../src/load";

test("fields that a later minor version added are no reason to stop", () => {
  const document = { schema: 1, novelty: true };
  expect(checked(document, "index.json", 1)).toBe(document);
});

test("a newer schema is refused with what helps", () => {
  const read = () => checked({ schema: 2 }, "index.json", 1);
  expect(read).toThrow("data/index.json has schema 2; this page reads schema 1.");
  expect(read).toThrow(Problem);
});

test.each([null, [], {}, { schema: "1" }, 7])("%j is no document of ours", (document) => {
  expect(() => checked(document, "index.json", 1)).toThrow("is not of schema 1");
});
