/** Light or dark: as the system has it, or as the reader chose. */

import { useEffect, useState } from "preact/hooks";

export type Theme = "auto" | "light" | "dark";
export const THEMES: readonly Theme[] = ["auto", "light", "dark"];

const KEPT = "springbench-theme";

/** What was chosen, what is drawn now, and how to choose. */
export function useTheme(): [
  { readonly chosen: Theme; readonly drawn: "light" | "dark" },
  (theme: Theme) => void,
] {
  const [chosen, setChosen] = useState<Theme>(stored);
  const [dark, setDark] = useState(() => system().matches);
  useEffect(() => {
    const asked = system();
    const follow = () => setDark(asked.matches);
    asked.addEventListener("change", follow);
    return () => asked.removeEventListener("change", follow);
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
    const kept = localStorage.getItem(KEPT);
    return THEMES.find((each) => each === kept) ?? "auto";
  } catch {
    return "auto";
  }
}

function keep(theme: Theme): void {
  try {
    localStorage.setItem(KEPT, theme);
  } catch {
    // a browser that keeps nothing still shows the page
  }
}
