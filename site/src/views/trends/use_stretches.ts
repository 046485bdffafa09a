/** The files of the chosen series: what is here is drawn while the rest is on its way. */

import { useEffect, useMemo, useState } from "preact/hooks";
import type { CaseRow, ClassRow } from "../../data/contract";
import { loadStretch, type Stretch } from "../../data/series";
import type { Loaded } from "../../parts/loaded";
import { nameOf } from "./wish";

/** What was loaded of a series, and for how many runs. */
interface Held {
  readonly runs: number;
  readonly loaded: Loaded<Stretch>;
}

interface OfHosts {
  readonly hosts: string;
  readonly series: ReadonlyMap<string, Held>;
}

/** Of each series what was loaded last, older runs or not: nothing that is seen goes away. */
export function useStretches(
  row: ClassRow,
  cases: readonly CaseRow[],
  runs: number,
): ReadonlyMap<string, Loaded<Stretch>> {
  const [held, setHeld] = useState<OfHosts>({ hosts: row.class, series: new Map() });
  const names = cases.map(nameOf);
  const key = names.join(" ");
  const here = held.hosts === row.class ? held.series : NONE;
  useEffect(() => {
    let wanted = true;
    const hold = (name: string, loaded: Loaded<Stretch>) => {
      if (!wanted) return;
      setHeld((before) => {
        const same = before.hosts === row.class ? before.series : NONE;
        const kept = [...same].filter(([other]) => names.includes(other));
        return { hosts: row.class, series: new Map([...kept, [name, { runs, loaded }]]) };
      });
    };
    for (const of of cases) {
      const name = nameOf(of);
      const known = here.get(name);
      if (known?.loaded.state === "here" && known.runs === runs) continue;
      loadStretch(row, of, runs).then(
        (value) => hold(name, { state: "here", value }),
        (problem: unknown) => hold(name, { state: "failed", problem }),
      );
    }
    return () => {
      wanted = false;
    };
  }, [row.class, key, runs]);
  return useMemo(() => new Map([...here].map(([name, { loaded }]) => [name, loaded])), [here]);
}

const NONE: ReadonlyMap<string, Held> = new Map();
