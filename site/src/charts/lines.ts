/** What a chart of lines shows, before anything is known of its size. */

import type { MarkShape } from "./mark_shapes";

/** More lines than this have no intervals: they would only cover each other. */
export const MOST_INTERVALS = 6;

/** One value of a line. */
export interface Dot {
  /** Its place on the horizontal axis: commits in order, each one further than the last. */
  readonly at: number;
  /** Null where the line breaks off. */
  readonly value: number | null;
  readonly low: number | null;
  readonly high: number | null;
  /** To be read with care: never thinned out, and drawn hollow. */
  readonly marked: boolean;
  /** There is no value because the case failed. */
  readonly failed: boolean;
}

export interface Line {
  readonly id: string;
  readonly name: string;
  /** Which number it has where there is no room for its name; its colour follows from it. */
  readonly number: number;
  /** In order of `at`. */
  readonly dots: readonly Dot[];
}

/** Something that happened to a line at a dot. */
export interface Mark {
  readonly line: string;
  readonly at: number;
  readonly shape: MarkShape;
  /** Whether it was a turn for the worse. */
  readonly bad: boolean;
}

/** Something that changed for all lines, between the dots before `at` and those at it. */
export interface EnvironmentChange {
  readonly at: number;
  readonly words: string;
}

export interface LinesPicture {
  readonly lines: readonly Line[];
  /** Lines that the vertical axis has room for: those of all charts that are to be compared. */
  readonly against: readonly Line[];
  readonly marks: readonly Mark[];
  readonly environmentChanges: readonly EnvironmentChange[];
  /** How many places the horizontal axis has. */
  readonly positions: number;
  /** What stands below a place. */
  readonly label: (at: number) => string;
  /** A value in words. */
  readonly write: (value: number) => string;
  readonly log: boolean;
  readonly zero: boolean;
}

/** The places that are seen, both included. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** One dot of one line. */
export interface Spot {
  readonly line: string;
  readonly at: number;
}
