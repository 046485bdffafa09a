import { expect, test } from "vitest";
import { filesIn } from "../../src/data/embedded";

test("a page without such an element, or with an empty one, reads files beside it", () => {
  expect(filesIn(null)).toBeNull();
  expect(filesIn(undefined)).toBeNull();
  expect(filesIn("")).toBeNull();
  expect(filesIn("null")).toBeNull();
});

test("each file is the text of its document", () => {
  const files = filesIn('{"index.json": {"schema": 2}, "runs/a.json.gz": [1]}');
  expect(files?.get("index.json")).toBe('{"schema":2}');
  expect(files?.get("runs/a.json.gz")).toBe("[1]");
  expect(files?.has("evidence.json.gz")).toBe(false);
});

test("what is cut off is told, never taken for an empty page", () => {
  expect(() => filesIn('{"index.json": {')).toThrow(SyntaxError);
});
