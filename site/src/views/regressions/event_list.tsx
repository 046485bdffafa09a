/** All events, the newest first, and what narrows them. */

import { useApp, useWords } from "../../app/context";
import { distinct } from "../../data/cases";
import type { Event } from "../../data/contract";
import { Badges } from "../../parts/badges";
import { CaseFilters, type Choice, useTyped } from "../../parts/case_filters";
import { Downloads } from "../../parts/downloads";
import { known } from "../../parts/marks";
import { EventTable } from "./event_table";
import { fieldsOf } from "./exported";
import { Feed } from "./feed";
import { casesOf, OPEN, shownEvents } from "./filter";
import { regressionWords } from "./words";

export function EventList() {
  const { index, query, to } = useApp();
  const text = useWords(regressionWords);
  const [words, setWords] = useTyped();
  const events = index.events ?? [];
  return (
    <>
      <h1>{text("title")}</h1>
      {events.length === 0 ? (
        <Nothing />
      ) : (
        <FilteredEvents
          all={events}
          shown={shownEvents(index, query, words)}
          words={words}
          onWords={setWords}
        />
      )}
      <SearchNote />
      <Badges badges={[{ name: "regressions", to: to("regressions") }]} />
    </>
  );
}

interface Props {
  readonly all: readonly Event[];
  readonly shown: readonly Event[];
  readonly words: string;
  readonly onWords: (words: string) => void;
}

function FilteredEvents({ all, shown, words, onWords }: Props) {
  const { index } = useApp();
  const text = useWords(regressionWords);
  const cases = distinct(all.flatMap((event) => casesOf(index, event)));
  const open = all.filter((event) => event.direction === "regression" && OPEN.has(event.state));
  return (
    <>
      <p class="summary">
        {text("summary", { open: open.length, all: all.length })} <Feed />
      </p>
      <CaseFilters cases={cases} words={words} onWords={onWords} also={useChoices(all)} />
      {shown.length === 0 ? <NoneFits /> : <EventTable events={shown} />}
      <Downloads name="regressions" rows={shown.map(fieldsOf)} />
    </>
  );
}

function NoneFits() {
  const { to } = useApp();
  const text = useWords(regressionWords);
  return (
    <p class="blank">
      {text("none-fits")} <a href={to("regressions")}>{text("show-all")}</a>
    </p>
  );
}

/** The states and directions that there are. */
function useChoices(events: readonly Event[]): readonly Choice[] {
  const { say } = useApp();
  const text = useWords(regressionWords);
  const states = distinct(events.map(({ state }) => state));
  const directions = distinct(events.map(({ direction }) => direction));
  return [
    {
      name: "state",
      label: text("state"),
      values: [
        { value: "open", words: text("state.open") },
        ...states.map((value) => ({ value, words: known("state", value, say) })),
      ],
    },
    {
      name: "direction",
      label: text("direction"),
      values: directions.map((value) => ({ value, words: text(`direction.${value}`) })),
    },
  ];
}

function Nothing() {
  const text = useWords(regressionWords);
  return (
    <div class="blank">
      <strong>{text("nothing")}</strong>
      <p>{text("nothing.remedy")}</p>
    </div>
  );
}

/** What is looked for, and what the states mean. */
function SearchNote() {
  const text = useWords(regressionWords);
  return (
    <section class="searched quiet" aria-labelledby="searched">
      <h2 id="searched">{text("searched")}</h2>
      <p>{text("searched.text")}</p>
      <p>{text("searched.states")}</p>
    </section>
  );
}
