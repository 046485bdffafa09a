/** A choice from a long list, found by typing: a combobox with a list box, as ARIA describes it. */

import "./combobox.css";
import { useId, useRef, useState } from "preact/hooks";
import { hasWords } from "../data/case_filter";

export interface ComboOption {
  readonly value: string;
  readonly words: string;
  /** A second line, and what else may be typed to find it. */
  readonly detail: string;
}

interface Props {
  readonly label: string;
  readonly options: readonly ComboOption[];
  readonly chosen: string;
  /** How what is chosen reads where no option has it. */
  readonly fallback?: string;
  readonly empty: string;
  /** Makes a choice of what was typed where no option has it: a hash, say; null where it is none. */
  readonly typed?: (text: string) => ComboOption | null;
  readonly onChoose: (value: string) => void;
}

const MOST_SHOWN = 60;

export function Combobox(props: Props) {
  const { label, options, chosen, onChoose } = props;
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  // null while nobody types: the box then says what is chosen
  const [text, setText] = useState<string | null>(null);
  const [active, setActive] = useState(0);
  const current = options.find(({ value }) => value === chosen);
  const shown = text === null ? [] : found(props, text);
  const close = () => setText(null);
  const take = (option: ComboOption | undefined) => {
    if (option === undefined) return;
    close();
    onChoose(option.value);
  };
  const open = () => {
    setText("");
    setActive(Math.max(0, options.indexOf(current ?? ({} as ComboOption))));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (text === null) {
      if (event.key !== "ArrowDown" && event.key !== "ArrowUp" && event.key !== "Enter") return;
      event.preventDefault();
      open();
      return;
    }
    const next = moved(event.key, active, shown.length);
    if (next !== null) setActive(next);
    else if (event.key === "Enter") take(shown[active]);
    else if (event.key === "Escape") close();
    else return;
    event.preventDefault();
  };
  return (
    <div class="combobox">
      <label for={`${id}-box`}>{label}</label>
      <input
        ref={input}
        id={`${id}-box`}
        role="combobox"
        aria-expanded={shown.length > 0}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={text !== null && shown[active] ? `${id}-${active}` : undefined}
        autocomplete="off"
        spellcheck={false}
        value={text ?? current?.words ?? props.fallback ?? chosen}
        onClick={() => text === null && open()}
        onInput={({ currentTarget: { value } }) => {
          setText(value);
          setActive(0);
        }}
        onKeyDown={onKeyDown}
        onBlur={close}
      />
      {shown.length > 0 && (
        <Options {...props} id={id} options={shown} active={active} onTake={take} />
      )}
      {text !== null && shown.length === 0 && (
        <p class="options" role="status">
          {props.empty}
        </p>
      )}
    </div>
  );
}

interface OptionsProps extends Props {
  readonly id: string;
  readonly active: number;
  readonly onTake: (option: ComboOption) => void;
}

function Options({ id, label, options, active, chosen, onTake }: OptionsProps) {
  return (
    <div class="options" id={`${id}-list`} role="listbox" aria-label={label}>
      {options.map((option, at) => (
        // biome-ignore lint/a11y/useFocusableInteractive: the box keeps the focus and names the active one
        // biome-ignore lint/a11y/useKeyWithClickEvents: the box has the keys
        <div
          key={option.value}
          id={`${id}-${at}`}
          role="option"
          aria-selected={option.value === chosen}
          class={at === active ? "active" : undefined}
          ref={at === active ? intoView : null}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onTake(option)}
        >
          {option.words}
          <span>{option.detail}</span>
        </div>
      ))}
    </div>
  );
}

function intoView(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: "nearest" });
}

function found({ options, typed }: Props, text: string): readonly ComboOption[] {
  const fitting = options.filter(({ words, detail }) => hasWords(`${words} ${detail}`, text));
  if (fitting.length > 0) return fitting.slice(0, MOST_SHOWN);
  const option = typed?.(text.trim());
  return option ? [option] : [];
}

/** Where a key leads in the list; null for a key that moves nowhere. */
function moved(key: string, at: number, count: number): number | null {
  const last = Math.max(0, count - 1);
  switch (key) {
    case "ArrowDown":
      return at >= last ? 0 : at + 1;
    case "ArrowUp":
      return at <= 0 ? last : at - 1;
    case "PageDown":
      return Math.min(last, at + 10);
    case "PageUp":
      return Math.max(0, at - 10);
    default:
      return null;
  }
}
