import { expect, test } from "vitest";
import { nameAmong, namesApart } from "../../../src/parts/names";
import { chosenSeries, nameOf, offered, RUNS, readWish } from "../../../src/views/trends/wish";
import { documents } from "../../documents";

const { index } = documents({ runs: 3, cases: 40 });
const [row] = index.classes;
if (row === undefined) throw new Error("no class");
const hosts = row;
const params = (query: string) => new URLSearchParams(query);
const chosen = (query: string) => chosenSeries(index, hosts, params(query));

test("what an address asks is understood, the rest is as usual", () => {
  const wish = readWish(
    index.metrics,
    params("metric=startup_s&scale=log&zero=1&by=server&relative=first"),
  );
  expect(wish).toMatchObject({ metric: "startup_s", log: true, zero: true, by: "server" });
  expect(wish.relative).toBe("first");
  const usual = readWish(index.metrics, params("metric=constructor&by=x&from=never&runs=-3"));
  expect(usual).toMatchObject({ metric: "throughput_rps", by: null, from: null, runs: RUNS });
});

test("series are shown in the order asked for, each once; unknown ones are reported", () => {
  const [one, two] = index.cases.map(nameOf);
  const found = chosen(`s=${two}&s=gone/x/1@a&s=${one}&s=${two}`);
  expect(found.cases.map(nameOf)).toEqual([two, one]);
  expect(found.unknown).toEqual(["gone/x/1@a"]);
});

test("who asks for none sees tomcat with virtual threads first, beside others of its load", () => {
  const { cases, named } = chosen("");
  expect(named).toBe(false);
  expect(cases[0]).toMatchObject({ server: "tomcat", model: "virtual", workload: "hello" });
  expect(new Set(cases.map(({ workload }) => workload)).size).toBe(1);
  expect(cases.length).toBeGreaterThan(1);
});

test("the filters narrow what is shown without a name and what may be added", () => {
  const query = "server=jetty&server=netty&workload=pay";
  const { cases } = chosen(query);
  expect(new Set(cases.map(({ server }) => server))).toEqual(new Set(["jetty", "netty"]));
  const more = offered(index, hosts, params(query), cases);
  expect(more.every(({ workload }) => workload === "pay")).toBe(true);
  expect(more.some((caseRow) => cases.includes(caseRow))).toBe(false);
});

test("names say what tells series apart, and no more", () => {
  const { cases } = chosen("");
  expect(namesApart(cases)[0]).toMatch(/^Tomcat virtual/);
  expect(namesApart(cases.slice(0, 1))).toEqual(["Tomcat virtual"]);
  expect(new Set(namesApart(index.cases)).size).toBe(index.cases.length);
});

test("of two that are alike but for their line of Spring Boot, the line is reported", () => {
  const [one] = index.cases;
  if (one === undefined) throw new Error("no case");
  const other = { ...one, boot: "boot3" };
  expect(nameAmong(one, [one, other])).toBe(`${nameAmong(one, [one])} ${one.boot}`);
  expect(nameAmong(other, [one, other])).toMatch(/ boot3$/);
  expect(nameAmong(one, [one, { ...one, connections: 8 }])).toBe(nameAmong(one, []));
});
