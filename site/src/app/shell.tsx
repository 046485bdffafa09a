/** The frame around every view: where one may go, on which hosts, in which language and colours. */

import { useEffect, useMemo, useState } from "preact/hooks";
import type { ClassRow, Index } from "../data/contract";
import { isReported } from "../data/reported";
import { nameOf } from "../data/repository";
import { isOfService } from "../data/service";
import { settleClass } from "../data/settle";
import { ANSWERS, familyOf, RELEASES, topOf, VIEWS, type View } from "../views/views";
import { keepLanguage, type Language, preferredLanguage, sayIn } from "../words/words";
import { type Choices, choicesOf, hashOf, type Place, readPlace } from "./address";
import { type App, Provider, useApp } from "./context";
import { Hosts, Switches } from "./switches";
import { useTheme } from "./theme";
import { ViewFrame } from "./view_frame";

interface Props {
  readonly index: Index;
  readonly repository: string | null;
}

/** Choices that stay when a reader goes from one view to another. */
const COMMON = ["host"];
/** What a number is made of, for whoever asks. */
const PARTS = ["fork", "window", "theoreticalMax", "bottleneck", "tie", "change"] as const;

export function Shell({ index, repository }: Props) {
  const [place, setPlace] = usePlace();
  const [language, setLanguage] = useState<Language>(preferredLanguage);
  const [theme, setTheme] = useTheme();
  const [shown, entitle] = useState<string | null>(null);
  const asked = VIEWS.find(({ id }) => id === place.view);
  const row = settleClass(index, place.query.get("host"), asked?.isShownOf);
  const say = useMemo(() => sayIn(language), [language]);
  if (row === null) return null;
  const offered = shownIn(index, row);
  // what has no runs, or results without ranks, as another harness has, lacks the other views
  const views = isReported(index, row) || !hasRuns(row) ? offered : VIEWS;
  const front = frontOf(offered, row);
  const view = views.find(({ id }) => id === place.view) ?? front;
  if (view === undefined || front === undefined) return null;
  const family = familyOf(view, offered);
  const app: App = {
    index,
    row,
    repository,
    say,
    language,
    theme: theme.drawn,
    query: place.query,
    choose: (changed, how) =>
      setPlace(hashOf(view.id, { ...choicesOf(place.query), ...changed }), how),
    entitle,
    to: (id, choices = {}) => hashOf(id, { ...common(place.query), ...choices }),
  };
  const title = say(view.name);
  return (
    <Provider value={app}>
      <Titles
        title={`${shown ? `${shown} · ${title}` : title} · ${nameOf(repository)}`}
        language={language}
      />
      <button class="skip" type="button" onClick={skip}>
        {say("page.skip")}
      </button>
      <header>
        <a class="brand" href={app.to(front.id)}>
          {nameOf(repository)}
        </a>
        <nav aria-label={say("page.views")}>
          {topOf(offered).map((entry) => (
            <Entry key={entry.id} view={entry} current={entry.id === (family[0] ?? view).id} />
          ))}
        </nav>
        <Switches
          language={language}
          onLanguage={(next) => {
            keepLanguage(next);
            setLanguage(next);
          }}
          theme={theme.chosen}
          onTheme={setTheme}
        />
      </header>
      {family.length > 0 && (
        <nav class="sections" aria-label={say("page.sections")}>
          {family.map((entry) => (
            <Entry key={entry.id} view={entry} current={entry.id === view.id} />
          ))}
        </nav>
      )}
      <Hosts />
      <main id="view" tabIndex={-1} aria-label={title}>
        <ViewFrame key={view.id} view={view} />
      </main>
      <footer>
        {isReported(index, row) ? (
          <p>{say("foot.reported")}</p>
        ) : (
          <>
            <Method />
            <p>{say("foot.closed-loop")}</p>
            <p>{say("foot.intervals")}</p>
          </>
        )}
        {index.charts === true && (
          <p>
            <a href="dev/bench/">{say("foot.other-charts")}</a>
          </p>
        )}
      </footer>
    </Provider>
  );
}

/** A link to a view, with the choices that are common to all. */
function Entry({ view, current }: { readonly view: View; readonly current: boolean }) {
  const { say, to } = useApp();
  return (
    <a href={to(view.id)} aria-current={current ? "page" : undefined}>
      {say(view.name)}
    </a>
  );
}

/** How a number is made: on every page, since numbers are. */
function Method() {
  const { say } = useApp();
  return (
    <details class="how">
      <summary>{say("how.title")}</summary>
      <ul>
        {PARTS.map((part) => (
          <li key={part}>{say(`how.${part}`)}</li>
        ))}
      </ul>
    </details>
  );
}

/** Where a visitor begins: at the answers, once one of them has intervals; without runs at releases. */
function frontOf(offered: readonly View[], row: ClassRow): View | undefined {
  const { answers = [] } = row;
  if (!hasRuns(row)) return offered.find(({ id }) => id === RELEASES);
  return offered.find(({ id }) => id !== ANSWERS || answers.some(({ rounds }) => rounds > 1));
}

/** Whether these hosts have measured runs, or have only compared. */
function hasRuns({ months }: ClassRow): boolean {
  return months.length > 0;
}

function shownIn(index: Index, row: ClassRow): readonly View[] {
  if (!hasRuns(row)) return VIEWS.filter(({ ofCompared }) => ofCompared === true);
  if (isReported(index, row)) return VIEWS.filter(({ ofAny }) => ofAny === true);
  return isOfService(index) ? VIEWS.filter(({ ofServers }) => ofServers !== true) : VIEWS;
}

/** Moves the focus and leaves the address, which is a choice, as it is. */
function skip(): void {
  document.getElementById("view")?.focus();
}

function common(query: URLSearchParams): Choices {
  return Object.fromEntries(COMMON.map((key) => [key, query.get(key) ?? undefined]));
}

function Titles({ title, language }: { readonly title: string; readonly language: Language }) {
  useEffect(() => {
    document.title = title;
    document.documentElement.lang = language === "zh" ? "zh-CN" : "en";
  }, [title, language]);
  return null;
}

function usePlace(): [Place, (hash: string, how?: "push" | "replace") => void] {
  const [place, setPlace] = useState(() => readPlace(location.hash));
  useEffect(() => {
    const follow = () => setPlace(readPlace(location.hash));
    addEventListener("hashchange", follow);
    return () => removeEventListener("hashchange", follow);
  }, []);
  const go = (hash: string, how: "push" | "replace" = "push") => {
    if (hash === location.hash) return;
    history[`${how}State`](null, "", hash);
    setPlace(readPlace(hash));
  };
  return [place, go];
}
