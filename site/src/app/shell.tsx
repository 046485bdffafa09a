/** The frame around every view: where one may go, on which hosts, in which language and colours. */

import { useEffect, useMemo, useState } from "preact/hooks";
import type { ClassRow, Index } from "../data/contract";
import { isReported } from "../data/reported";
import { nameOf } from "../data/repository";
import { isOfService } from "../data/service";
import { settleClass } from "../data/settle";
import { VIEWS, type View } from "../views/views";
import { keepLanguage, type Language, preferredLanguage, sayIn } from "../words/words";
import { type Asked, askedOf, FRONT, hashOf, type Place, readPlace } from "./address";
import { type App, Provider } from "./context";
import { Method } from "./method";
import { Hosts, Switches } from "./switches";
import { useTheme } from "./theme";
import { ViewFrame } from "./view_frame";

interface Props {
  readonly index: Index;
  readonly repository: string | null;
}

/** Choices that stay when a reader goes from one view to another. */
const COMMON = ["host"];

export function Shell({ index, repository }: Props) {
  const [place, setPlace] = usePlace();
  const [language, setLanguage] = useState<Language>(preferredLanguage);
  const [theme, setTheme] = useTheme();
  const [shown, entitle] = useState<string | null>(null);
  const row = settleClass(index, place.asked.get("host"));
  const say = useMemo(() => sayIn(language), [language]);
  if (row === null) return null;
  const offered = shownIn(index, row);
  // another harness has results without ranks: a view of these is not there
  const there = isReported(index, row) ? offered : VIEWS;
  const view =
    there.find(({ id }) => id === place.view) ?? there.find(({ id }) => id === FRONT) ?? there[0];
  if (view === undefined) return null;
  const app: App = {
    index,
    row,
    repository,
    say,
    language,
    theme: theme.drawn,
    asked: place.asked,
    choose: (changed, how) =>
      setPlace(hashOf(view.id, { ...askedOf(place.asked), ...changed }), how),
    entitle,
    to: (id, asked = {}) => hashOf(id, { ...common(place.asked), ...asked }),
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
        <a class="brand" href={app.to(FRONT)}>
          {nameOf(repository)}
        </a>
        <nav aria-label={say("page.views")}>
          {offered.map(({ id, name }) => (
            <a key={id} href={app.to(id)} aria-current={id === view.id ? "page" : undefined}>
              {say(name)}
            </a>
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

function shownIn(index: Index, row: ClassRow): readonly View[] {
  if (isReported(index, row)) return VIEWS.filter(({ ofAny }) => ofAny === true);
  return isOfService(index) ? VIEWS.filter(({ ofServers }) => ofServers !== true) : VIEWS;
}

/** Moves the focus and leaves the address, which is a choice, as it is. */
function skip(): void {
  document.getElementById("view")?.focus();
}

function common(asked: URLSearchParams): Asked {
  return Object.fromEntries(COMMON.map((key) => [key, asked.get(key) ?? undefined]));
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
