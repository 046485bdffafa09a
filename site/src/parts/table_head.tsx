/** The heads of a table's columns. */

export interface Head {
  readonly words: string;
  /** Words are read from the left, a picture stands in the middle; numbers are compared at the right. */
  readonly kind?: "text" | "in-picture";
}

export function TableHead({ heads }: { readonly heads: readonly Head[] }) {
  return (
    <thead>
      <tr>
        {heads.map(({ words, kind }, at) => (
          <th key={at} scope="col" class={kind}>
            {words}
          </th>
        ))}
      </tr>
    </thead>
  );
}
