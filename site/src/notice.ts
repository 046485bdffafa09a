/** What the page says when it cannot draw: what is wrong, and what helps. */

import { element } from "./dom";
import { Problem } from "./load";

/** A notice for anything thrown while reading or drawing. */
export function notice(problem: unknown): HTMLElement {
  const known =
    problem instanceof Problem
      ? problem
      : new Problem(
          "The published data are not in the form that this page reads.",
          `springbench publish --history FOLDER --rebuild makes the derived files anew. (${String(problem)})`,
        );
  return element(
    "div",
    { class: "notice", role: "alert" },
    element("strong", {}, known.message),
    element("p", {}, known.remedy),
  );
}
