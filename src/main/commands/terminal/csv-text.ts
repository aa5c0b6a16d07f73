// Tables as CSV (RFC 4180, UTF-8, LF): unknown = empty. Text that a spreadsheet would take for a formula is quoted with
// an apostrophe.

export type CsvCell = string | number | boolean | null | undefined;
export type CsvRow = Readonly<Record<string, CsvCell>>;

/** `names` are the columns in order; default: those of the rows, in the order in which they first appear. */
export function csvText(
  rows: readonly CsvRow[],
  names: readonly string[] = [...new Set(rows.flatMap((row) => Object.keys(row)))],
): string {
  const lines = rows.map((row) => csvLine(names.map((name) => row[name])));
  return [names.join(','), ...lines].join('\n');
}

/** One row, without a line end. */
export const csvLine = (cells: readonly CsvCell[]): string => cells.map(cellText).join(',');

const FORMULA = /^[=+@\t\r-]/;
const NUMBER = /^-?\d+(?:\.\d+)?$/;

function cellText(cell: CsvCell): string {
  if (cell === null || cell === undefined) return '';
  const text = String(cell);
  const safe = FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
