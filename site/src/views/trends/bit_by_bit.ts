/** A choice that moves bit by bit: seen at once, and in the address when it rests. */

import { useEffect, useRef, useState } from "preact/hooks";
import { useApp } from "../../app/context";

/** Browsers allow only so many changes of the address in a second. */
const REST_MS = 300;

/** What is chosen now, null while that is what the address says; and how to choose. */
export function useBitByBit(name: string): readonly [string | null, (value: string) => void] {
  const app = useApp();
  const newest = useRef(app);
  newest.current = app;
  const stored = app.query.get(name);
  const [moving, setMoving] = useState<string | null>(null);
  useEffect(() => setMoving(null), [stored]);
  useEffect(() => {
    if (moving === null) return;
    const timer = setTimeout(() => newest.current.choose({ [name]: moving }, "replace"), REST_MS);
    return () => clearTimeout(timer);
  }, [moving]);
  return [moving, setMoving];
}
