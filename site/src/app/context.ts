/** What every view is given: the history, the words, and where the reader is. */

import { createContext } from "preact";
import { useContext, useEffect } from "preact/hooks";
import type { ClassRow, Index } from "../data/contract";
import { filled, type Language, type Say, type Values, type WordsOf } from "../words/words";
import type { Choices } from "./address";

export interface App {
  readonly index: Index;
  /** The host class that is looked at: hosts whose results may be compared. */
  readonly row: ClassRow;
  /** The repository that commits link to; null where none is known. */
  readonly repository: string | null;
  readonly say: Say;
  readonly language: Language;
  /** Dark or light, as the reader sees it now: what is drawn on a canvas must be drawn again. */
  readonly theme: string;
  /** Choices that the address makes. */
  readonly query: URLSearchParams;
  /**
   * Change choices of this view; what is left out stays. `replace` where a reader moves bit by bit,
   * and would not want to go back through each of the bits.
   */
  readonly choose: (changed: Choices, how?: "push" | "replace") => void;
  /** Say in the document's title what is shown; null for nothing but the view. */
  readonly entitle: (shown: string | null) => void;
  /** The address of a view, with the choices that are common to all. */
  readonly to: (view: string, choices?: Choices) => string;
}

const Context = createContext<App | null>(null);
export const Provider = Context.Provider;

/** What the view around this component was given. */
export function useApp(): App {
  const app = useContext(Context);
  if (app === null) throw new Error("a component was drawn outside the app");
  return app;
}

/** How to say the sentences of a view's own words. */
export function useWords<Key extends string>(
  words: WordsOf<Key>,
): (key: Key, values?: Values) => string {
  const { language } = useApp();
  return (key, values = {}) => filled(words[language][key], values);
}

/** The document's title while this component is there: what it shows, before the view's name. */
export function useTitle(shown: string | null): void {
  const { entitle } = useApp();
  useEffect(() => {
    entitle(shown);
    return () => entitle(null);
  }, [shown]);
}
