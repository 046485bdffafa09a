/** Marks that are distinguished by their shape: colours alone would not do. Pure. */

export type MarkShape = "suspected" | "confirmed" | "acknowledged" | "fixed";

/** A shape of `size` pixels around a middle; hollow ones are only outlined. */
export interface Outline {
  readonly corners: [number, number][];
  readonly hollow: boolean;
}

const HOLLOW: ReadonlySet<MarkShape> = new Set(["suspected", "fixed"]);

/** Triangles point down at their dot; what is settled is a diamond or a square. */
export function outline(shape: MarkShape, x: number, y: number, size: number): Outline {
  const r = size / 2;
  const corners: Readonly<Record<MarkShape, [number, number][]>> = {
    suspected: triangle(x, y, r),
    confirmed: triangle(x, y, r),
    fixed: [
      [x, y - r],
      [x + r, y],
      [x, y + r],
      [x - r, y],
    ],
    acknowledged: [
      [x - r, y - r],
      [x + r, y - r],
      [x + r, y + r],
      [x - r, y + r],
    ],
  };
  return { corners: corners[shape], hollow: HOLLOW.has(shape) };
}

function triangle(x: number, y: number, r: number): [number, number][] {
  return [
    [x - r, y - r],
    [x + r, y - r],
    [x, y + r],
  ];
}
