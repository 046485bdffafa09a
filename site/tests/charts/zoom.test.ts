import { expect, test } from "vitest";
import { layoutOf, xOf, yOf } from "../../src/charts/layout";
import { nearest, stepped } from "../../src/charts/nearest";
import { everything, held, showing, zoomed } from "../../src/charts/zoom";
import { dot, line, picture } from "./dots";

test("a range stays within what there is, and is never too narrow to see", () => {
  expect(held({ from: -10, to: 20 }, 100)).toEqual({ from: 0, to: 30 });
  expect(held({ from: 98, to: 98 }, 100)).toEqual({ from: 95, to: 99 });
  expect(held({ from: 0, to: 50 }, 3)).toEqual({ from: 0, to: 2 });
  expect(everything(0)).toEqual({ from: 0, to: 0 });
});

test("keys zoom around the point and move what is seen", () => {
  const range = { from: 0, to: 99 };
  const closer = zoomed("+", false, range, 100, 50);
  expect(closer).toEqual({ from: 25, to: 74 });
  expect(zoomed("-", false, closer ?? range, 100, 50)).toEqual(range);
  expect(zoomed("ArrowRight", true, { from: 0, to: 9 }, 100, 5)).toEqual({ from: 3, to: 12 });
  expect(zoomed("0", false, { from: 3, to: 9 }, 100, 5)).toEqual(range);
  expect(zoomed("ArrowRight", false, range, 100, 5)).toBeNull();
  expect(showing({ from: 10, to: 19 }, 25, 100)).toEqual({ from: 16, to: 25 });
});

const lines = [
  line([1, 2, 3, 4], "a"),
  { ...line([], "b", 2), dots: [dot(1, 10), dot(3, 12)] },
] as const;

test("keys go from dot to dot and from line to line", () => {
  expect(stepped(lines, { line: "a", at: 1 }, "ArrowRight")).toEqual({ line: "a", at: 2 });
  expect(stepped(lines, { line: "a", at: 1 }, "End")).toEqual({ line: "a", at: 3 });
  expect(stepped(lines, { line: "a", at: 3 }, "PageDown")).toEqual({ line: "a", at: 3 });
  expect(stepped(lines, { line: "b", at: 1 }, "ArrowRight")).toEqual({ line: "b", at: 3 });
  expect(stepped(lines, { line: "a", at: 3 }, "ArrowDown")).toEqual({ line: "b", at: 3 });
  expect(stepped(lines, { line: "a", at: 3 }, "ArrowUp")).toBeNull();
  expect(stepped(lines, { line: "a", at: 3 }, "x")).toBeNull();
});

test("a pointer means the dot that is closest", () => {
  const drawing = picture(lines, { positions: 4 });
  const layout = layoutOf(drawing, everything(4), { width: 800, height: 320 }, false);
  const meant = (at: number, value: number) =>
    nearest(drawing, layout, at, xOf(layout, at), yOf(layout, value));
  expect(meant(1.1, 9)).toEqual({ line: "b", at: 1 });
  expect(meant(1.1, 3)).toEqual({ line: "a", at: 1 });
  expect(nearest(picture([]), layout, 1, 1, 1)).toBeNull();
});
