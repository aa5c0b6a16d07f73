// Columns as array literals of PostgreSQL. The driver escapes each element by two replacements, which takes most of the
// time of writing many short texts; nearly all of them contain nothing to escape.

/** Nothing else stands in most columns, and none of it has a meaning within quotes. */
const PLAIN = /^[\w .:/@+-]*$/;

const escaped = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('"', '\\"');

/** The literal of an array of texts or whole numbers. */
export function arrayText(values: readonly (string | number | null)[]): string {
  let text = '{';
  for (let at = 0; at < values.length; at += 1) {
    const value = values[at] as string | number | null;
    if (at > 0) text += ',';
    if (value === null) text += 'NULL';
    else if (typeof value === 'number') text += String(value);
    else text += PLAIN.test(value) ? `"${value}"` : `"${escaped(value)}"`;
  }
  return `${text}}`;
}
