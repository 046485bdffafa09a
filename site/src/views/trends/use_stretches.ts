/** The files of the chosen series: what is here is drawn while the rest is on its way. */

import { useEffect, useState } from "preact/hooks";
import type { CaseRow, ClassRow } from "../../data/contract";
import { loadStretch, type Stretch } from "../../data/series";
import type { Loaded } from "../../parts/loaded";
import { nameOf } from "./wish";

interface Held {
  readonly hosts: string;
  readonly series: ReadonlyMap<string, Loaded<Stretch>>;
}

/** Of each series what was loaded last, older runs or not: nothing that is seen goes away. */
export function useStretches(
  row: ClassRow,
  cases: readonly CaseRow[],
  runs: number,
): ReadonlyMap<string, Loaded<Stretch>> {
  const [held, setHeld] = useState<Held>({ hosts: row.class, series: new Map() });
  const names = cases.map(nameOf).join(" ");
  useEffect(() => {
    let here = true;
    const hold = (of: CaseRow, loaded: Loaded<Stretch>) => {
      if (!here) return;
      setHeld((before) => {
        const same = before.hosts === row.class ? before.series : [];
        const kept = [...same].filter(([name]) => names.split(" ").includes(name));
        return { hosts: row.class, series: new Map([...kept, [nameOf(of), loaded]]) };
      });
    };
    for (const of of cases) {
      loadStretch(row, of, runs).then(
        (value) => hold(of, { state: "here", value }),
        (problem: unknown) => hold(of, { state: "failed", problem }),
      );
    }
    return () => {
      here = false;
    };
  }, [row.class, names, runs]);
  return held.hosts === row.class ? held.series : new Map();
}
