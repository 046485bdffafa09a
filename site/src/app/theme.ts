/** Light or dark: as the system has it, or as the reader chose. */

import { useEffect, useState } from "preact/hooks";

export type Theme = "auto" | "light" | "dark";
export const THEMES: readonly Theme[] = ["auto", "light", "dark"];

const STORAGE_KEY = "springbench-theme";

/** What was chosen, what is drawn now, and how to choose. */
export function useTheme(): [
  { readonly chosen: Theme; readonly drawn: "light" | "dark" },
  (theme: Theme) => void,
] {
  const [chosen, setChosen] = useState<Theme>(stored);
  const [dark, setDark] = useState(() => system().matches);
  useEffect(() => {
    const mediaQuery = system();
    const follow = () => setDark(mediaQuery.matches);
    mediaQuery.addEventListener("change", follow);
    return () => mediaQuery.removeEventListener("change", follow);
  }, []);
  document.documentElement.dataset["theme"] = chosen;
  const choose = (theme: Theme) => {
    keep(theme);
    setChosen(theme);
  };
  const drawn = chosen === "auto" ? (dark ? "dark" : "light") : chosen;
  return [{ chosen, drawn }, choose];
}

function system(): MediaQueryList {
  return matchMedia("(prefers-color-scheme: dark)");
}

function stored(): Theme {
  try {
    const choice = localStorage.getItem(STORAGE_KEY);
    return THEMES.find((theme) => theme === choice) ?? "auto";
  } catch {
    return "auto";
  }
}

function keep(theme: Theme): void {
  try {
    localStorage.setItem(STORAGE_KEY, theme);
  } catch {
    // a browser that keeps nothing still shows the page
  }
}
