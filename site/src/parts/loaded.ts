/** Something that is fetched for what the address asks: on its way, here, or in trouble. */

import { useEffect, useState } from "preact/hooks";

export type Loaded<T> =
  | { readonly state: "waiting" }
  | { readonly state: "here"; readonly value: T }
  | { readonly state: "failed"; readonly problem: unknown };

interface Held<T> {
  readonly key: string;
  readonly loaded: Loaded<T>;
}

const WAITING = { state: "waiting" } as const;

/** What `load` brings, anew for each `key`. An answer for another key than the last is dropped. */
export function useLoaded<T>(key: string, load: () => Promise<T>): Loaded<T> {
  const [held, setHeld] = useState<Held<T>>({ key, loaded: WAITING });
  useEffect(() => {
    let active = true;
    const hold = (loaded: Loaded<T>) => active && setHeld({ key, loaded });
    load().then(
      (value) => hold({ state: "here", value }),
      (problem: unknown) => hold({ state: "failed", problem }),
    );
    return () => {
      active = false;
    };
  }, [key]);
  return held.key === key ? held.loaded : WAITING;
}
