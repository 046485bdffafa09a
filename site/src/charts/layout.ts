/** Where on so many pixels a chart of lines has what. Pure. */

import type { LinesPicture, Range } from "./lines";
import { type Vertical, vertical } from "./vertical";

export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface Layout extends Size {
  readonly seen: Range;
  readonly vertical: Vertical;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  /** Whether lines have their names at their ends, or their numbers. */
  readonly named: boolean;
}

/** Below so many pixels names would leave no room for lines. */
const NARROW = 600;
const WIDEST_NAME = 190;
const CHARACTER = 7.2;
export const SLIDER_HEIGHT = 22;

/** The layout for the places that are seen; with a slider below them or without. */
export function layoutOf(
  picture: LinesPicture,
  seen: Range,
  { width, height }: Size,
  slider: boolean,
): Layout {
  const axis = vertical(picture.against, seen, picture);
  const ticks = Math.max(...axis.ticks.map((tick) => picture.write(tick).length), 3);
  const named = width >= NARROW;
  const below = 30 + (slider ? SLIDER_HEIGHT + 12 : 0);
  return {
    width,
    height,
    seen,
    vertical: axis,
    named,
    left: Math.min(width * 0.3, 16 + ticks * CHARACTER),
    right: width - endRoom(picture, named),
    top: picture.environmentChanges.length > 0 ? 26 : 12,
    bottom: height - below,
  };
}

function endRoom({ lines }: LinesPicture, named: boolean): number {
  if (lines.length < 2) return 16;
  if (!named) return 26;
  const longest = Math.max(...lines.map(({ name }) => name.length));
  return 20 + Math.min(WIDEST_NAME, longest * CHARACTER);
}

/** The pixel of a place. */
export function xOf({ left, right, seen }: Layout, at: number): number {
  return left + ((at - seen.from + 0.5) / (seen.to - seen.from + 1)) * (right - left);
}

/** The place under a pixel. */
export function atOf({ left, right, seen }: Layout, x: number): number {
  return seen.from - 0.5 + ((x - left) / (right - left)) * (seen.to - seen.from + 1);
}

/** The pixel of a value; the edge for one that the axis has no room for. */
export function yOf(
  { top, bottom, vertical: { min, max, positionOf } }: Layout,
  value: number,
): number {
  const share = (positionOf(value) - min) / (max - min);
  return bottom - Math.max(0, Math.min(1, share)) * (bottom - top);
}

/** A value's place on the axis, and no further off than needed to lead a line out of the chart. */
export function heldPosition({ min, max, positionOf }: Vertical, value: number): number {
  const beyond = (max - min) / 20;
  return Math.max(min - beyond, Math.min(max + beyond, positionOf(value)));
}

/** Whether the axis has no room for a value: above it (1), below (−1), or neither (0). */
export function offAxis({ min, max, positionOf }: Vertical, value: number): -1 | 0 | 1 {
  const at = positionOf(value);
  if (at > max) return 1;
  return at < min ? -1 : 0;
}
