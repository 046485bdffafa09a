/** Rows as files that other programs read. Pure. */

export type Fields = Readonly<Record<string, string | number | null>>;

/** Comma-separated, as RFC 4180 has it; the first row's names are the header. */
export function csv(rows: readonly Fields[]): string {
  const names = Object.keys(rows[0] ?? {});
  const lines = rows.map((row) => names.map((name) => cell(row[name] ?? null)));
  return [names.map(cell), ...lines].map((line) => `${line.join(",")}\r\n`).join("");
}

function cell(value: string | number | null): string {
  if (typeof value !== "string") return value === null ? "" : String(value);
  // published words are a stranger's: a spreadsheet must not take them for a formula
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export function json(rows: readonly Fields[]): string {
  return `${JSON.stringify(rows, null, 1)}\n`;
}
