/** Two commits, runs or variants: what differs, by how much, and how sure that is. */

import "./compare.css";
import { useApp, useWords } from "../../app/context";
import { Commits } from "./commits";
import { Variants } from "./variants";
import { compareWords } from "./words";

export function Compare() {
  const { query, to } = useApp();
  const text = useWords(compareWords);
  const variants = query.has("a") || query.has("b");
  return (
    <>
      <h1>{text("title")}</h1>
      <nav class="modes" aria-label={text("mode.label")}>
        <a href={to("compare")} aria-current={variants ? undefined : "true"}>
          {text("mode.commits")}
        </a>
        <a href={to("compare", { a: "" })} aria-current={variants ? "true" : undefined}>
          {text("mode.variants")}
        </a>
      </nav>
      {variants ? <Variants /> : <Commits />}
    </>
  );
}
