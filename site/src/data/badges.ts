/** Where the badges of a history are. Pure. */

import { fileName } from "./contract";

/** The picture of a case, or of `regressions`; null where that can be no name of a file. */
export function badgePath(of: string): string | null {
  try {
    return `data/badges/${fileName(of.replaceAll("/", "~"))}.svg`;
  } catch {
    return null;
  }
}
