import { expect, test, vi } from "vitest";
import { Remembered } from "../../src/data/remember";

test("what was loaded once is not loaded again", async () => {
  const held = new Remembered<number>(10);
  const load = vi.fn(async () => 7);
  expect(await held.get("a", load)).toBe(7);
  expect(await held.get("a", load)).toBe(7);
  expect(load).toHaveBeenCalledTimes(1);
});

test("a failure is tried again", async () => {
  const held = new Remembered<number>(10);
  await expect(held.get("a", () => Promise.reject(new Error("no")))).rejects.toThrow("no");
  expect(await held.get("a", async () => 7)).toBe(7);
});

test("what was not used for longest is forgotten first", async () => {
  const held = new Remembered<string>(2);
  const load = vi.fn(async () => "x");
  for (const key of ["a", "b", "a", "c", "a"]) await held.get(key, load);
  expect(load).toHaveBeenCalledTimes(3);
  await held.get("b", load);
  expect(load).toHaveBeenCalledTimes(4);
});
