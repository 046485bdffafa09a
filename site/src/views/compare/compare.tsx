/** Two commits, runs or variants: what differs, by how much, and how sure that is. */

import "./compare.css";
import { useApp, useWords } from "../../app/context";
import { Commits } from "./commits";
import { Variants } from "./variants";
import { compareWords } from "./words";

export function Compare() {
  const { asked, to } = useApp();
  const own = useWords(compareWords);
  const variants = asked.has("a") || asked.has("b");
  return (
    <>
      <h1>{own("title")}</h1>
      <nav class="modes" aria-label={own("mode.label")}>
        <a href={to("compare")} aria-current={variants ? undefined : "true"}>
          {own("mode.commits")}
        </a>
        <a href={to("compare", { a: "" })} aria-current={variants ? "true" : undefined}>
          {own("mode.variants")}
        </a>
      </nav>
      {variants ? <Variants /> : <Commits />}
    </>
  );
}
