/** Where the page begins: read the index, draw what the address asks for, follow the address. */

import { type Choice, choiceHash, readChoice } from "./choice";
import { INDEX_PATH, type Index, SCHEMA_VERSION } from "./contract";
import { byId } from "./dom";
import { moment } from "./format";
import { loadJson, Missing } from "./load";
import { notice } from "./notice";
import { Page } from "./page";
import { repositoryOf } from "./repository";

function statusWords(index: Index): string {
  const runs = index.runs_total === 1 ? "One run" : `${index.runs_total.toLocaleString("en")} runs`;
  const newest = index.runs.started_at.at(-1);
  return newest ? `${runs}, the latest of ${moment(newest)}.` : `${runs}.`;
}

async function start(): Promise<void> {
  const index = (await loadJson(INDEX_PATH, SCHEMA_VERSION)) as Index;
  const choose = (choice: Choice): void => {
    history.pushState(null, "", choiceHash(choice));
    page.show(choice);
  };
  const built = import.meta.env["VITE_REPOSITORY"] as string | undefined;
  const page = new Page(index, repositoryOf(new URL(location.href), built), choose);
  const follow = (): boolean => page.show(readChoice(location.hash));
  if (!follow()) {
    throw new Missing(
      "The history has no runs yet.",
      "The first run that is published appears here; the benchmark workflow publishes each push.",
    );
  }
  // the skip link moves within the page and chooses nothing
  addEventListener("hashchange", () => {
    if (location.hash !== "" && !readChoice(location.hash).case) return;
    follow();
    // a row far below was followed: bring into sight what it changed
    const section = byId("trend-section");
    if (section.getBoundingClientRect().top < -200) section.scrollIntoView();
  });
  byId("status").textContent = statusWords(index);
  byId("other-charts").hidden = index.charts !== true;
  document.body.classList.add("ready");
}

start().catch((problem: unknown) => {
  document.body.classList.add("failed");
  byId("status").replaceChildren(notice(problem));
});
