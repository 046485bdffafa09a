import { expect, test } from "vitest";
import { filesIn, startIn } from "../../src/data/embedded";

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

test("what is cut off is reported, never taken for an empty page", () => {
  expect(() => filesIn('{"index.json": {')).toThrow(SyntaxError);
});

test.each([
  ['{"start": "#/compare?base=a&head=b"}', "#/compare?base=a&head=b"],
  ['{"index.json": {}}', ""],
  ['{"start": "javascript:alert(1)"}', ""],
  ['{"start": 5}', ""],
])("%s begins at '%s'", (text, address) => {
  expect(startIn(filesIn(text))).toBe(address);
});
