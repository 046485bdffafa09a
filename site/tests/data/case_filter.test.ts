import { expect, test } from "vitest";
import { axisChoices, fits, hasWords } from "../../src/data/case_filter";
import { documents } from "../documents";

const { cases } = documents({ runs: 1, cases: 80 }).index;

test("parts of a name find it, in any order and in any case", () => {
  expect(hasWords("boot4-tomcat-virtual-jvm/pay/100", "VIRT tom")).toBe(true);
  expect(hasWords("boot4-tomcat-virtual-jvm/pay/100", "virt jetty")).toBe(false);
  expect(hasWords("anything", "  ")).toBe(true);
});

test("only axes with something to choose are offered, numbers in their order", () => {
  const few = cases.slice(0, 1).map((measuredCase) => ({ ...measuredCase, connections: 20 }));
  const choices = axisChoices([...cases, ...few]);
  const offered = Object.fromEntries(choices.map(({ axis, values }) => [axis, values]));
  expect(Object.keys(offered)).not.toContain("runtime");
  expect(offered["connections"]).toEqual(["20", "100", "1000"]);
  expect(axisChoices([])).toEqual([]);
});

test("a case fits when each axis and each word does", () => {
  const shown = (query: string, words = "") =>
    cases.filter((measuredCase) => fits(measuredCase, new URLSearchParams(query), words)).length;
  expect(shown("")).toBe(80);
  expect(shown("server=&workload=")).toBe(80);
  expect(shown("server=tomcat&workload=pay&connections=100")).toBe(2);
  expect(shown("server=tomcat&workload=pay&connections=100", "virt")).toBe(1);
  expect(shown("server=no-such")).toBe(0);
});
