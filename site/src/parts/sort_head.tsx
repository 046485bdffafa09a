/** The head of a column that sorts the table below it. */

import "./sort_head.css";

interface Props {
  readonly words: string;
  readonly sorted: "ascending" | "descending" | undefined;
  readonly onSort: () => void;
  /** A column of words, which begin at the left. */
  readonly text?: boolean;
}

export function SortHead({ words, sorted, onSort, text = false }: Props) {
  const sign = sorted === undefined ? " ↕" : sorted === "descending" ? " ↓" : " ↑";
  return (
    <th scope="col" class={text ? "text" : undefined} aria-sort={sorted}>
      <button type="button" class="sort" onClick={onSort}>
        {words}
        <span aria-hidden="true">{sign}</span>
      </button>
    </th>
  );
}
