// A text that would take long to parse is refused before it is parsed.
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { YAML_BOUNDS, yamlExcess } from '../../src/main/yaml-bounds.ts';
import { readBoundedYaml } from '../../src/main/yaml-document.ts';

const { depth, keys, tokens, indent } = YAML_BOUNDS;

test.each([
  ['brackets', '['.repeat(40_000), 1, `${depth} levels of nesting`],
  ['braces with keys', '{a: '.repeat(10_000), 1, `${depth} levels of nesting`],
  ['items within items', '- '.repeat(20_000), 1, `${depth} levels of nesting`],
  ['keys that are keys of keys', '? '.repeat(20_000), 1, `${depth} levels of nesting`],
  ['brackets after a long text', `name: "a\n\n  b"\nlegs: ${'['.repeat(70)}`, 4, 'levels'],
  [
    'a staircase of keys',
    Array.from({ length: 400 }, (_, at) => `${' '.repeat(at)}a:`).join('\n'),
    indent + 2,
    `${indent} columns of indentation`,
  ],
  [
    'many keys',
    Array.from({ length: 6_000 }, (_, at) => `k${at}: 1`).join('\n'),
    keys + 1,
    `${keys} keys`,
  ],
  ['a long list', `[${'1,'.repeat(30_000)}]`, 1, `${tokens} tokens`],
])('a file of %s is refused with its line', (_, text, line, what) => {
  const read = readBoundedYaml(text, 'hostile.yaml');
  expect(read).toMatchObject({
    kind: 'faulty',
    faults: [{ line, column: 1, message: expect.stringContaining(what) }],
  });
});

test('every strategy of ours is far within the bounds', () => {
  const files = readdirSync('strategies').filter((name) => name.endsWith('.yaml'));
  expect(files.length).toBeGreaterThan(3);
  for (const name of files) {
    expect(yamlExcess(readFileSync(`strategies/${name}`, 'utf8')), name).toBeUndefined();
  }
});

test('brackets in texts and comments do not count', () => {
  const brackets = '['.repeat(1_000);
  const text = `a: "${brackets}"\nb: '${brackets}'\nc: x${brackets}\n# ${brackets}\nd: |\n  ${brackets}\n`;
  expect(yamlExcess(text)).toBeUndefined();
  expect(readBoundedYaml(text, 'own.yaml')).toMatchObject({ kind: 'read' });
});
