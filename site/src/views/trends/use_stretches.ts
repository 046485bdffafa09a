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

interface HostStretches {
  readonly hosts: string;
  readonly series: ReadonlyMap<string, Held>;
}

/** Of each series what was loaded last, older runs or not: nothing that is seen goes away. */
export function useStretches(
  row: ClassRow,
  cases: readonly CaseRow[],
  runs: number,
): ReadonlyMap<string, Loaded<Stretch>> {
  const [held, setHeld] = useState<HostStretches>({ hosts: row.class, series: new Map() });
  const names = cases.map(nameOf);
  const key = names.join(" ");
  const hostSeries = held.hosts === row.class ? held.series : NONE;
  useEffect(() => {
    let active = true;
    const hold = (name: string, loaded: Loaded<Stretch>) => {
      if (!active) return;
      setHeld((before) => {
        const same = before.hosts === row.class ? before.series : NONE;
        const retained = [...same].filter(([other]) => names.includes(other));
        return { hosts: row.class, series: new Map([...retained, [name, { runs, loaded }]]) };
      });
    };
    for (const caseRow of cases) {
      const name = nameOf(caseRow);
      const known = hostSeries.get(name);
      if (known?.loaded.state === "here" && known.runs === runs) continue;
      loadStretch(row, caseRow, runs).then(
        (value) => hold(name, { state: "here", value }),
        (problem: unknown) => hold(name, { state: "failed", problem }),
      );
    }
    return () => {
      active = false;
    };
  }, [row.class, key, runs]);
  return useMemo(
    () => new Map([...hostSeries].map(([name, { loaded }]) => [name, loaded])),
    [hostSeries],
  );
}

const NONE: ReadonlyMap<string, Held> = new Map();
