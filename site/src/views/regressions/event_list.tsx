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
  const { index, asked, to } = useApp();
  const own = useWords(regressionWords);
  const [words, setWords] = useTyped();
  const events = index.events ?? [];
  return (
    <>
      <h1>{own("title")}</h1>
      {events.length === 0 ? (
        <Nothing />
      ) : (
        <Narrowed
          all={events}
          shown={shownEvents(index, asked, words)}
          words={words}
          onWords={setWords}
        />
      )}
      <Searched />
      <Badges badges={[{ of: "regressions", to: to("regressions") }]} />
    </>
  );
}

interface Props {
  readonly all: readonly Event[];
  readonly shown: readonly Event[];
  readonly words: string;
  readonly onWords: (words: string) => void;
}

function Narrowed({ all, shown, words, onWords }: Props) {
  const { index } = useApp();
  const own = useWords(regressionWords);
  const cases = distinct(all.flatMap((event) => casesOf(index, event)));
  const open = all.filter((each) => each.direction === "regression" && OPEN.has(each.state));
  return (
    <>
      <p class="summary">
        {own("summary", { open: open.length, all: all.length })} <Feed />
      </p>
      <CaseFilters cases={cases} words={words} onWords={onWords} also={useChoices(all)} />
      {shown.length === 0 ? <NoneFits /> : <EventTable events={shown} />}
      <Downloads name="regressions" rows={shown.map(fieldsOf)} />
    </>
  );
}

function NoneFits() {
  const { to } = useApp();
  const own = useWords(regressionWords);
  return (
    <p class="blank">
      {own("none-fits")} <a href={to("regressions")}>{own("show-all")}</a>
    </p>
  );
}

/** The states and directions that there are. */
function useChoices(events: readonly Event[]): readonly Choice[] {
  const { say } = useApp();
  const own = useWords(regressionWords);
  const states = distinct(events.map(({ state }) => state));
  const directions = distinct(events.map(({ direction }) => direction));
  return [
    {
      name: "state",
      label: own("state"),
      values: [
        { value: "open", words: own("state.open") },
        ...states.map((value) => ({ value, words: known("state", value, say) })),
      ],
    },
    {
      name: "direction",
      label: own("direction"),
      values: directions.map((value) => ({ value, words: own(`direction.${value}`) })),
    },
  ];
}

function Nothing() {
  const own = useWords(regressionWords);
  return (
    <div class="blank">
      <strong>{own("nothing")}</strong>
      <p>{own("nothing.remedy")}</p>
    </div>
  );
}

/** What is looked for, and what the states mean. */
function Searched() {
  const own = useWords(regressionWords);
  return (
    <section class="searched quiet" aria-labelledby="searched">
      <h2 id="searched">{own("searched")}</h2>
      <p>{own("searched.text")}</p>
      <p>{own("searched.states")}</p>
    </section>
  );
}
