import { expect, test } from "vitest";
import { choicesOf, FRONT, hashOf, readPlace } from "../../src/app/address";

const ODD = [
  "",
  " ",
  "boot4-tomcat-virtual-jvm/pay/3000@nightly-3x10s",
  "a&b=c#d?e",
  "100 %",
  "%2F %40 %25",
  "a+b",
  "/../..//",
  "@@//",
  "línea 测试 🙂",
  "<img src=x onerror=alert(1)>",
  "\u202e\u0000\n\t",
  "constructor",
  "__proto__",
  "x".repeat(5000),
];

test("an address leads back to what it was made of, whatever that is", () => {
  for (const name of ODD.filter((text) => text !== "")) {
    for (const value of ODD) {
      const { view, query } = readPlace(hashOf("trends", { [name]: value }));
      expect(view).toBe("trends");
      expect([...query]).toEqual([[name, value]]);
    }
  }
});

test("a list keeps its order, its repetitions and its empty places", () => {
  for (const list of [ODD, ODD.toReversed(), ["a", "a"], [""]]) {
    const { query } = readPlace(hashOf("compare", { s: list, metric: "startup_s" }));
    expect(query.getAll("s")).toEqual(list);
    expect(query.get("metric")).toBe("startup_s");
  }
});

test("an address made of an address is the same", () => {
  for (const first of ODD) {
    for (const second of ODD) {
      const hash = hashOf("run", { id: first, s: [second, first], zero: 0 });
      const { view, query } = readPlace(hash);
      expect(hashOf(view, choicesOf(query))).toBe(hash);
    }
  }
});

test("a browser takes the address as it is", () => {
  for (const value of ODD) {
    const hash = hashOf("trends", { s: value });
    const url = new URL(hash, "https://owner.github.io/name/");
    expect(url.hash).toBe(hash);
    expect(url.pathname).toBe("/name/");
  }
});

test("what is not asked for does not stand in the address", () => {
  expect(hashOf("overview")).toBe("#/overview");
  expect(hashOf("overview", { host: undefined, s: [] })).toBe("#/overview");
  expect(hashOf("trends", { s: "a/b/1@quick-1x6s", n: 3 })).toBe("#/trends?s=a/b/1@quick-1x6s&n=3");
});

test.each(["", "#", "#/", "#/?", "#latest", "#colour=red", "#case="])(
  "'%s' leads to the front",
  (hash) => {
    const { view, query } = readPlace(hash);
    expect(view).toBe(FRONT);
    expect([...query]).toEqual([]);
  },
);

test("what is broken is no reason to stop", () => {
  expect(readPlace("#/run?id=%E0%A4%A").view).toBe("run");
  expect([...readPlace("#/run?&&=&").query.keys()].join("")).toBe("");
  expect(readPlace("#/no such view").view).toBe("no such view");
});

test("an address of the page's first form leads to its series", () => {
  const old = "#case=boot4-tomcat-virtual-jvm/pay/100&how=push-5x10s&metric=startup_s&host=ab&12=x";
  const { view, query } = readPlace(old);
  expect(view).toBe("trends");
  expect(choicesOf(query)).toEqual({
    s: ["boot4-tomcat-virtual-jvm/pay/100@push-5x10s"],
    metric: ["startup_s"],
    host: ["ab"],
  });
  expect(readPlace("#case=a/b/1").query.get("s")).toBe("a/b/1");
});
