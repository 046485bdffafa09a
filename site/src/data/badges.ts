/** Where the badges of a history are. Pure. */

import { fileName } from "./contract";

/** The picture of a case, or of `regressions`; null where that can be no name of a file. */
export function badgePath(name: string): string | null {
  try {
    return `data/badges/${fileName(name.replaceAll("/", "~"))}.svg`;
  } catch {
    return null;
  }
}
