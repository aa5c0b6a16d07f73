// Paragraphs and items of lists in generated pages, in lines of at most 110 characters.

const LINE_MAX = 110;

export const listItem = (text: string): string => wrapped(text, '- ', '  ');

/** @param first what the first line begins with; `rest`: what the others do */
export function wrapped(text: string, first = '', rest = ''): string {
  const [word = '', ...words] = text.split(' ');
  const lines = [`${first}${word}`];
  for (const next of words) {
    const line = lines.at(-1) ?? '';
    if (line.length + 1 + next.length <= LINE_MAX) lines[lines.length - 1] = `${line} ${next}`;
    else lines.push(`${rest}${next}`);
  }
  return lines.join('\n');
}
