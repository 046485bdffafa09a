import { expect, test } from "vitest";
import { affected_seriesOf } from "../../../src/data/changes";
import type { Event } from "../../../src/data/contract";
import { fieldsOf } from "../../../src/views/regressions/exported";
import { casesOf, eventNamed, shownEvents } from "../../../src/views/regressions/filter";
import { pictureOf } from "../../../src/views/regressions/picture";
import { commandsOf } from "../../../src/views/regressions/reproduce";
import { documents } from "../../documents";

const { index } = documents({ runs: 60, cases: 40 });

function eventWith(matches: (event: Event) => boolean): Event {
  const event = index.events?.find(matches);
  if (event === undefined) throw new Error("no such event");
  return event;
}

const confirmed = eventWith(
  (event) => event.state === "confirmed" && event.direction === "regression",
);
const range = eventWith((event) => event.kind === "step" && event.culprit.exact === false);
const drift = eventWith((event) => event.kind === "drift");

function shown(query: string, words = ""): readonly string[] {
  return shownEvents(index, new URLSearchParams(query), words).map(({ id }) => id);
}

test("made-up events have every state", () => {
  const states = new Set(index.events?.map(({ state }) => state));
  expect(states).toEqual(new Set(["suspected", "confirmed", "acknowledged", "fixed", "rejected"]));
});

test("more series may be touched than are published", () => {
  expect(affected_seriesOf(confirmed)).toBe(confirmed.affected_series.length + 30);
  expect(affected_seriesOf({ ...confirmed, affected_series_total: 0 })).toBe(
    confirmed.affected_series.length,
  );
});

test("events are narrowed by state, direction, axis and words, the newest first", () => {
  expect(shown("")).toEqual(index.events?.map(({ id }) => id));
  expect(shown("state=open")).toContain(confirmed.id);
  expect(shown("state=fixed")).toHaveLength(1);
  expect(shown("direction=improvement").every((id) => id.startsWith("improvement"))).toBe(true);
  expect(shown("model=virtual")).toContain(confirmed.id);
  expect(shown("model=platform")).not.toContain(confirmed.id);
  expect(shown("", confirmed.culprit.after.sha.slice(0, 8))).toContain(confirmed.id);
  expect(shown("", "on purpose")).toHaveLength(1);
  expect(shown("", "no such words")).toEqual([]);
});

test("an affected series of a case that the index does not know is known by its name", () => {
  const affected_series = confirmed.affected_series.map((series) => ({
    ...series,
    case: "mine-jvm/pay/300",
  }));
  expect(casesOf(index, { ...confirmed, affected_series })).toMatchObject([{ workload: "pay" }]);
});

test("an event is found by its id alone", () => {
  expect(eventNamed(index, confirmed.id)).toBe(confirmed);
  expect(eventNamed(index, "gone")).toBeNull();
});

test("a comparison reproduces an event, and a bisection halves a range but no drift", () => {
  const { before, after } = confirmed.culprit;
  expect(commandsOf(confirmed)).toEqual([
    expect.stringMatching(
      new RegExp(
        `^springbench compare ${before.sha} ${after.sha} --only '[a-z0-9/-]+' --profile push$`,
      ),
    ),
  ]);
  expect(commandsOf(range)[1]).toMatch(/^springbench bisect \S+ \S+ --case '\S+' --metric \w+$/);
  expect(commandsOf(drift)).toHaveLength(1);
});

test("builds of somebody's own service are compared by where they are checked out", () => {
  const affected_series = confirmed.affected_series.map((w) => ({
    ...w,
    case: "app-orders-own-jvm/a/64",
  }));
  const commands = commandsOf({ ...confirmed, affected_series });
  const checkouts = commands.slice(0, 2).map((line) => line.split(" ")[3]);
  expect(commands[2]).toBe("# build both");
  expect(commands[3]).toMatch(
    new RegExp(`^springbench compare ${checkouts.join(" ")} --only 'app-orders-own-jvm/a/64'`),
  );
});

test("a memory limit is part of a name", () => {
  const name = "boot4-tomcat-virtual-jvm_256m/json/64";
  const affected_series = confirmed.affected_series.map((series) => ({ ...series, case: name }));
  expect(commandsOf({ ...confirmed, affected_series })[0]).toContain(` --only '${name}'`);
});

test.each(["a'; rm -rf / #/pay/1", "$(x)-jvm/pay/1", "boot4-tomcat-virtual-jvm/pay/1\nx"])(
  "a name that could do something in a shell makes no command: %s",
  (name) => {
    const affected_series = confirmed.affected_series.map((series) => ({ ...series, case: name }));
    expect(commandsOf({ ...confirmed, affected_series })).toEqual([]);
  },
);

test("what is no commit makes no command", () => {
  const after = { ...confirmed.culprit.after, sha: "HEAD; x" };
  expect(commandsOf({ ...confirmed, culprit: { ...confirmed.culprit, after } })).toEqual([]);
});

test("only a confirmed regression has a picture, and only by a checked name", () => {
  expect(pictureOf(confirmed)).toBe(`data/charts/${confirmed.id}.svg`);
  expect(pictureOf({ ...confirmed, state: "fixed" })).toBeNull();
  expect(pictureOf({ ...confirmed, direction: "improvement" })).toBeNull();
  expect(pictureOf({ ...confirmed, id: "../../x" })).toBeNull();
  expect(pictureOf({ ...confirmed, id: "regression-0123?x=.svg" })).toBeNull();
});

test("each event is a row of the file", () => {
  expect(fieldsOf(confirmed)).toMatchObject({
    id: confirmed.id,
    state: "confirmed",
    metric: "throughput_rps",
    exact: "yes",
    series: affected_seriesOf(confirmed),
  });
});

test("what is no longer measured is not open, and can be asked for", () => {
  const ended = { ...confirmed, state: "unmeasured" as const };
  const one = { ...index, events: [ended] };
  const ids = (query: string) =>
    shownEvents(one, new URLSearchParams(query), "").map(({ id }) => id);
  expect(ids("state=open")).toEqual([]);
  expect(ids("state=unmeasured")).toEqual([ended.id]);
  expect(pictureOf(ended)).toBeNull();
});
