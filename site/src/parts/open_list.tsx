/** What nobody has measured on these hosts, each with the command that does. */

import "./open_list.css";

interface Item {
  readonly id: string;
  readonly text: string;
  readonly command: string;
}

interface Props {
  readonly items: readonly Item[];
  /** Of the texts, where it is not the page's own. */
  readonly lang?: string;
}

export function OpenList({ items, lang }: Props) {
  return (
    <ul class="open-list">
      {items.map(({ id, text, command }) => (
        <li key={id}>
          <span lang={lang}>{text}</span> <code>{command}</code>
        </li>
      ))}
    </ul>
  );
}
