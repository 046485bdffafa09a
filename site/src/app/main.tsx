/** Where the page begins: read the index, then draw the view that the address names. */

import { type ComponentChild, render } from "preact";
import { INDEX_PATH, type Index, SCHEMA_VERSION } from "../data/contract";
import { embedded, startIn } from "../data/embedded";
import { loadJson, Missing } from "../data/load";
import { repositoryOf } from "../data/repository";
import { settleClass } from "../data/settle";
import { Notice } from "../parts/notice";
import { preferredLanguage, sayIn } from "../words/words";
import { Shell } from "./shell";

const root = document.getElementById("app");
if (root === null) throw new Error("index.html has no element with the id 'app'");

async function start(into: HTMLElement): Promise<void> {
  const index = (await loadJson(INDEX_PATH, SCHEMA_VERSION)) as Index;
  if (settleClass(index, null) === null) {
    throw new Missing("problem.empty", {});
  }
  const built = import.meta.env["VITE_REPOSITORY"] as string | undefined;
  const begin = startIn(embedded());
  if (location.hash === "" && begin !== "") history.replaceState(null, "", begin);
  draw(<Shell index={index} repository={repositoryOf(new URL(location.href), built)} />, into);
  document.body.classList.add("ready");
}

start(root).catch((problem: unknown) => {
  document.body.classList.add("failed");
  const say = sayIn(preferredLanguage());
  draw(<Notice problem={problem} say={say} />, root);
});

/** In place of what stands there: Preact leaves elements alone that it has not made. */
function draw(what: ComponentChild, into: HTMLElement): void {
  into.replaceChildren();
  render(what, into);
}
