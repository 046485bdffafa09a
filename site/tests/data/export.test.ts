import { expect, test } from "vitest";
import { csv, json } from "../../src/data/export";

test("cells are quoted where they must be", () => {
  const rows = [{ case: 'a "b", c', value: 1.5, none: null }];
  expect(csv(rows)).toBe('case,value,none\r\n"a ""b"", c",1.5,\r\n');
});

test("no published word becomes a formula", () => {
  expect(csv([{ message: "=cmd|' /C calc'!A0" }])).toContain("'=cmd");
  expect(csv([{ value: -1 }])).toContain("\n-1");
});

test("JSON is what was given", () => {
  expect(JSON.parse(json([{ a: null }]))).toEqual([{ a: null }]);
});
