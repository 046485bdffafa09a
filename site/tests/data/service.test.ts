import { expect, test } from "vitest";
import { isOfService, isServiceCase, serviceOfRun, subjectOf } from "../../src/data/service";
import { documents } from "../documents";

test("a history is of one's own service where no case is of another server", () => {
  const { index } = documents({ runs: 1, cases: 2 });
  expect(isOfService(index)).toBe(false);
  const serviceCases = index.cases.map((caseRow) => ({ ...caseRow, boot: "app" }));
  expect(isOfService({ cases: serviceCases })).toBe(true);
  expect(isOfService({ cases: [...serviceCases, ...index.cases] })).toBe(false);
  expect(isOfService({ cases: [] })).toBe(false);
});

test.each([
  ["app-orders-own-jvm/orders-17/64", true],
  ["apple-orders-own-jvm/orders-17/64", false],
  ["boot4-tomcat-virtual-jvm/hello/64", false],
])("case %s is of one's own service: %s", (id, expected) => {
  expect(isServiceCase(id)).toBe(expected);
});

test("services are distinguished only where there are several", () => {
  const { index } = documents({ runs: 1, cases: 2 });
  const [one, other] = index.cases.map((caseRow, at) => ({
    ...caseRow,
    boot: "app",
    server: ["orders", "payments"][at] ?? "",
  }));
  if (one === undefined || other === undefined) throw new Error("two cases were asked for");
  expect(subjectOf([one, other])(one)).toBe("orders");
  expect(subjectOf([one, one])(one)).toBeNull();
  expect(subjectOf([one, ...index.cases])(one)).toBe("orders");
  expect(subjectOf([one, ...index.cases])(index.cases[0] ?? one)).toBeNull();
  expect([serviceOfRun({ cases: [one] }), serviceOfRun({ cases: index.cases })]).toEqual([
    "orders",
    "",
  ]);
  expect([serviceOfRun({ cases: [one, other] }), serviceOfRun({ cases: [] })]).toEqual([
    null,
    null,
  ]);
});
