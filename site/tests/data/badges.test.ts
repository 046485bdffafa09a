import { expect, test } from "vitest";
import { badgePath } from "../../src/data/badges";

test("a case has the file that publishing makes", () => {
  expect(badgePath("boot4-tomcat-virtual-jvm/hello/64")).toBe(
    "data/badges/boot4-tomcat-virtual-jvm~hello~64.svg",
  );
  expect(badgePath("regressions")).toBe("data/badges/regressions.svg");
});

test.each(["../../x", "a b", "", "//elsewhere.example/x", ") <b>"])("%j is none", (name) => {
  expect(badgePath(name)).toBeNull();
});
