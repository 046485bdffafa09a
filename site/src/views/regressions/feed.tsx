/** The link to follow what changed; a report page has no feed beside it. */

import { useWords } from "../../app/context";
import { embedded } from "../../data/embedded";
import { regressionWords } from "./words";

export function Feed() {
  const text = useWords(regressionWords);
  if (embedded() !== null) return null;
  return (
    <a href="data/events.atom" type="application/atom+xml">
      {text("feed")}
    </a>
  );
}
