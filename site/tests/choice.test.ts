import { expect, test } from "vitest";
import { choiceHash, readChoice } from "../src/choice";

test("an address leads back to its choice", () => {
  const choice = {
    case: "boot4-tomcat-virtual-jvm/pay/3000",
    how: "nightly-3x10s",
    metric: "startup_s",
    host: "ab&12",
  };
  const hash = choiceHash(choice);
  expect(hash).toContain("case=boot4-tomcat-virtual-jvm/pay/3000");
  expect(readChoice(hash)).toEqual(choice);
});

test("an address that asks for nothing, or for unknown things, is no mistake", () => {
  expect(readChoice("")).toEqual({});
  expect(readChoice("#latest")).toEqual({});
  expect(readChoice("#metric=&colour=red&host=a")).toEqual({ host: "a" });
});
