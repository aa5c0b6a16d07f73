// Whether a command prints what a page shows: the same words in the same order, whatever the figures are. Identifiers that
// differ are learned, so that a later command of the page names the ones of this run.

/** Words of an identifier: shown as one number, later used in a command. */
const IDENTIFIER = /^\d{4,}$/;
const HAS_DIGIT = /\d/;
const LOGGED = /^\[[\d:.]+\] (?:INFO|WARN):/;

const wordsOf = (line: string): readonly string[] =>
  line
    .replaceAll(/[()",:;]/g, ' ')
    .split(/\s+/)
    .filter((word) => word !== '');

/** What a shown word may be in this run: `…` is any words, a figure another figure. */
function patternOf(word: string): string {
  if (word.includes('…')) return '(?:\\S+ )*';
  // A slow machine may be further than the page.
  if (word === 'ACTIVE') return '(?:ACTIVE|FILLED) ';
  if (HAS_DIGIT.test(word)) return '(\\S*\\d\\S*) ';
  return `${word.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')} `;
}

/** The identifiers of both by those shown; `undefined` if the lines differ. */
function matched(shown: string, printed: string): ReadonlyMap<string, string> | undefined {
  const words = wordsOf(shown);
  const pattern = new RegExp(`^${words.map(patternOf).join('')}$`);
  const found = pattern.exec(`${wordsOf(printed).join(' ')} `);
  if (found === null) return undefined;
  const figures = words.filter((word) => HAS_DIGIT.test(word) && !word.includes('…'));
  const pairs = figures.map((word, index) => [word, found[index + 1] ?? ''] as const);
  return new Map(pairs.filter((pair) => pair.every((word) => IDENTIFIER.test(word))));
}

/**
 * Looks for each shown line among the printed ones and learns identifiers from them. Lines have the order of the page, except those
 * of a log, which several processes write.
 * @returns the first line that is not found
 */
export function missingLine(
  shown: readonly string[],
  printed: string,
  learned: Map<string, string>,
): string | undefined {
  const lines = printed.split(/\r?\n/);
  let from = 0;
  for (const line of shown) {
    if (line.trim() === '' || line.trim() === '…') continue;
    const at = lines.findIndex((one, index) => index >= from && matched(line, one) !== undefined);
    if (at < 0) return line;
    for (const [name, actual] of matched(line, lines[at] ?? '') ?? []) {
      if (!learned.has(name)) learned.set(name, actual);
    }
    if (!LOGGED.test(line)) from = at + 1;
  }
  return undefined;
}

/** A command with the identifiers of this run. */
export function renamed(command: string, learned: ReadonlyMap<string, string>): string {
  const names = [...learned.keys()].map((name) => `(?<!\\d)${name}(?!\\d)`);
  if (names.length === 0) return command;
  const pattern = new RegExp(names.join('|'), 'g');
  return command.replaceAll(pattern, (name) => learned.get(name) ?? name);
}
