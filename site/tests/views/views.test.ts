import { expect, test } from "vitest";
import { ANSWERS, familyOf, RELEASES, topOf, VIEWS } from "../../src/views/views";

const ids = (views: readonly { readonly id: string }[]) => views.map(({ id }) => id);
const OF_SERVICE = VIEWS.filter(({ ofServers }) => ofServers !== true);

function view(id: string) {
  const found = VIEWS.find((entry) => entry.id === id);
  if (found === undefined) throw new Error(`no view ${id}`);
  return found;
}

test("the answers come first, and lead to views that stand in no other place", () => {
  expect(topOf(VIEWS)[0]?.id).toBe(ANSWERS);
  expect(ids(topOf(VIEWS))).not.toContain("scaling");
  const reached = topOf(VIEWS).flatMap((entry) => [entry, ...familyOf(entry, VIEWS)]);
  expect(new Set(ids(reached))).toEqual(new Set(ids(VIEWS)));
});

test("a section shows its neighbours, and the view that leads to them", () => {
  const family = ["answers", "scaling", "footprint", "latency", "studies"];
  expect(ids(familyOf(view("scaling"), VIEWS))).toEqual(family);
  expect(ids(familyOf(view("answers"), VIEWS))).toEqual(family);
  expect(familyOf(view("trends"), VIEWS)).toEqual([]);
});

test("hosts that have only compared have what comparisons fill, the releases among it", () => {
  const offered = VIEWS.filter(({ ofCompared }) => ofCompared === true);
  expect(ids(topOf(offered))).toEqual(["compare", "regressions", RELEASES]);
});

test("without answers their sections stand in the navigation themselves", () => {
  expect(ids(topOf(OF_SERVICE))).toEqual(ids(OF_SERVICE));
  expect(ids(OF_SERVICE)).toContain("scaling");
  expect(familyOf(view("scaling"), OF_SERVICE)).toEqual([]);
});
