// What the first screen of the README promises, sentence by sentence, has a test; docs/testing.md names it.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const FROM = '# twapd\n';
const TO = '## Interfaces';

const flat = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

/** Sentences of its paragraphs, its captions, and its commands with what they say of themselves. */
function sentences(screen: string): readonly string[] {
  const [prose = [], code = []] = [0, 1].map((odd) =>
    screen.split('```').filter((_, at) => at % 2 === odd),
  );
  const captions = [...screen.matchAll(/!\[([^\]]*)\]/g)].map(([, caption = '']) => caption);
  const paragraphs = prose
    .flatMap((part) => part.split('\n\n'))
    .filter((paragraph) => !/^\s*(#|!\[)/.test(paragraph));
  return [
    ...captions,
    ...paragraphs.flatMap((paragraph) => flat(paragraph).split(/(?<=\.\*?)\s+(?=[A-Z`*[])/)),
    ...code.flatMap((block) => block.split('\n')),
  ]
    .map(flat)
    .filter((sentence) => /[a-z]{3}/.test(sentence));
}

interface Row {
  readonly words: string;
  readonly file: string | undefined;
  readonly title: string | undefined;
}

function rows(page: string): readonly Row[] {
  const section = page.slice(page.indexOf('## Promises of the README'));
  const [own = ''] = section.slice(3).split('\n## ');
  return own
    .split('\n')
    .filter((line) => /^\| (?!words of|---)/.test(line))
    .map((line) => {
      const [words = '', file = '', title] = line.slice(2, -2).split(' | ');
      return { words: flat(words), file: /^`(test\/.*)`$/.exec(file)?.[1], title };
    });
}

const readme = readFileSync('README.md', 'utf8');
const screen = readme.slice(readme.indexOf(FROM) + FROM.length, readme.indexOf(TO));
const quoted = rows(readFileSync('docs/testing.md', 'utf8'));

test('every sentence of the first screen of the README is quoted in docs/testing.md', () => {
  const all = sentences(screen);
  expect(all.length).toBeGreaterThan(20);
  expect(all.filter((one) => !quoted.some(({ words }) => one.includes(words)))).toEqual([]);
});

test('the words that docs/testing.md quotes are those of the README', () => {
  const text = flat(screen);
  expect(quoted.map(({ words }) => words).filter((words) => !text.includes(words))).toEqual([]);
});

test('each promise of the README has a test of the title that docs/testing.md names', () => {
  const missing = quoted.filter(({ file, title = '' }) => {
    if (file === undefined) return false;
    return !readFileSync(file, 'utf8').includes(title);
  });
  expect(missing).toEqual([]);
  expect(quoted.filter(({ file }) => file !== undefined).length).toBeGreaterThan(20);
});
