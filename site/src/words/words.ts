/** The page's own words, in the reader's language. */

import { METRICS } from "../generated/metrics";
import { en, type WordKey } from "./en";
import { zh } from "./zh";

export type Language = "en" | "zh";
export type Values = Readonly<Record<string, string | number>>;
/** A sentence by its key, with values in the place of `{names}`. */
export type Say = (key: WordKey | MetricKey, values?: Values) => string;
type MetricKey = `metric.${string}`;

const ALL: Readonly<Record<Language, Readonly<Record<WordKey | MetricKey, string>>>> = {
  en: { ...en, ...labels("en") },
  zh: { ...zh, ...labels("zh") },
};
const STORAGE_KEY = "springbench-language";

/** The names of the metrics. */
function labels(language: Language): Readonly<Record<MetricKey, string>> {
  return Object.fromEntries(METRICS.map(({ name, label }) => [`metric.${name}`, label[language]]));
}

/** The language of these words. */
export function sayIn(language: Language): Say {
  return (key, values = {}) => filled(ALL[language][key] ?? key, values);
}

/** A text with values in it. A name that is not given stays as it is. */
export function filled(text: string, values: Values): string {
  return text.replace(/\{(\w+)\}/g, (all, name: string) =>
    Object.hasOwn(values, name) ? String(values[name]) : all,
  );
}

/** The language that the reader chose here before, else the first one that the browser asks for. */
export function preferredLanguage(): Language {
  const choice = stored();
  if (choice === "en" || choice === "zh") return choice;
  const preference = navigator.languages.find((language) => /^(en|zh)\b/i.test(language));
  return preference?.toLowerCase().startsWith("zh") ? "zh" : "en";
}

/** Keep a choice for the next visit, where the browser lets us. */
export function keepLanguage(language: Language): void {
  try {
    localStorage.setItem(STORAGE_KEY, language);
  } catch {
    // a browser that keeps nothing still shows the page
  }
}

function stored(): string | null {
  try {
    return localStorage.getItem(STORAGE_KEY);
  } catch {
    return null;
  }
}

/** The sentences of one view, in each language. A key that one of them lacks does not compile. */
export interface WordsOf<Key extends string> {
  readonly en: Readonly<Record<Key, string>>;
  readonly zh: Readonly<Record<NoInfer<Key>, string>>;
}

/** Only for its type: both languages have the same keys. */
export function words<Key extends string>(both: WordsOf<Key>): WordsOf<Key> {
  return both;
}
