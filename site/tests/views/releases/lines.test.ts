import { expect, test } from "vitest";
import { chainsOf } from "../../../src/data/chain";
import { breaksOf, linesOf } from "../../../src/views/releases/lines";
import { compared } from "../../compared";

const RATE = "throughput_rps";
const JETTY = "boot4-jetty-virtual-jvm/hello/100";

const chains = chainsOf([
  compared("4.0.0", "4.0.1"),
  compared("4.0.2", "4.0.3"),
  compared("4.0.0", "4.0.1", { case: JETTY }),
  compared("4.0.1", "4.0.2", { case: JETTY, metric: "startup_s" }),
  compared("4.0.2", "4.0.3", { case: JETTY }),
]);
const named = chains.map((chain) => ({ chain, name: chain.case.server }));

test("where lines break off is said once for each two neighbours, with whom it concerns", () => {
  const lines = linesOf(named, RATE, null);
  expect(breaksOf(lines, RATE)).toEqual([
    { before: "4.0.1", after: "4.0.2", names: ["tomcat", "jetty"], compared: true },
  ]);
});

test("a line begins with the release that is asked for, and is not there without the metric", () => {
  const [one] = linesOf(named, RATE, "4.0.3");
  expect(one?.base).toBe("4.0.3");
  expect(one?.changes.map((change) => change !== null)).toEqual([false, false, true, true]);
  expect(linesOf(named, "startup_s", null).map(({ name }) => name)).toEqual(["jetty"]);
});
