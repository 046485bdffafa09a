import { expect, test } from "vitest";
import { isOfService, isServiceCase } from "../../src/data/service";
import { documents } from "../documents";

test("a history is of one's own service where no case is of another server", () => {
  const { index } = documents({ runs: 1, cases: 2 });
  expect(isOfService(index)).toBe(false);
  const own = index.cases.map((each) => ({ ...each, boot: "app" }));
  expect(isOfService({ cases: own })).toBe(true);
  expect(isOfService({ cases: [...own, ...index.cases] })).toBe(false);
  expect(isOfService({ cases: [] })).toBe(false);
});

test.each([
  ["app-orders-own-jvm/orders-17/64", true],
  ["apple-orders-own-jvm/orders-17/64", false],
  ["boot4-tomcat-virtual-jvm/hello/64", false],
])("case %s is of one's own service: %s", (id, expected) => {
  expect(isServiceCase(id)).toBe(expected);
});
