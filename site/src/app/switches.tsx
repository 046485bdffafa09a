/** The choices that hold for all views: hosts, language, colours. */

import type { ClassRow, Index } from "../data/contract";
import { harnessesOf, isReported } from "../data/reported";
import { casesOf } from "../data/settle";
import { oneLine, quantity } from "../words/format";
import type { Language, Say } from "../words/words";
import { useApp } from "./context";
import { THEMES, type Theme } from "./theme";

interface Props {
  readonly language: Language;
  readonly onLanguage: (language: Language) => void;
  readonly theme: Theme;
  readonly onTheme: (theme: Theme) => void;
}

export function Switches({ language, onLanguage, theme, onTheme }: Props) {
  const { say } = useApp();
  const next = language === "en" ? "zh" : "en";
  return (
    <div class="switches">
      <button
        type="button"
        lang={next === "zh" ? "zh-CN" : "en"}
        id="language"
        onClick={() => onLanguage(next)}
      >
        {next === "zh" ? "简体中文" : "English"}
      </button>
      <label>
        <span class="hidden">{say("page.colours")}</span>
        <select
          id="theme"
          value={theme}
          onChange={({ currentTarget: { value } }) =>
            onTheme(THEMES.find((option) => option === value) ?? "auto")
          }
        >
          {THEMES.map((option) => (
            <option key={option} value={option}>
              {say(`theme.${option}`)}
            </option>
          ))}
        </select>
      </label>
    </div>
  );
}

/** Which hosts the numbers are from; a choice where there are several kinds. */
export function Hosts() {
  const { index, row, say, choose } = useApp();
  if (index.classes.length === 1) {
    return <p class="hosts quiet">{say("host.one", { host: classWords(index, row, say) })}</p>;
  }
  return (
    <p class="hosts">
      <label>
        {say("host.label")}{" "}
        <select
          id="host"
          value={row.class}
          onChange={({ currentTarget: { value } }) => choose({ host: value })}
        >
          {index.classes.map((hostClass) => (
            <option key={hostClass.class} value={hostClass.class}>
              {classWords(index, hostClass, say)}
            </option>
          ))}
        </select>
      </label>
    </p>
  );
}

/** The same with the harnesses that have measured on it, where springbench has not. */
function classWords(index: Index, row: ClassRow, say: Say): string {
  const host = hostWords(row, say);
  if (!isReported(index, row)) return host;
  const harness = oneLine(harnessesOf(casesOf(index, row)).join(", "));
  return say("host.reported", { host, harness });
}

/** A host class in words, what tells it apart first: `ab12cd34: 2 × AMD EPYC, 8 GiB, kernel 6.1`. */
export function hostWords({ host, class: id }: ClassRow, say: Say): string {
  return say("host.words", {
    id: oneLine(id),
    cores: host.cores,
    cpu: oneLine(host.cpu_model),
    memory: quantity(host.memory_bytes, "bytes"),
    kernel: oneLine(host.kernel),
  });
}
