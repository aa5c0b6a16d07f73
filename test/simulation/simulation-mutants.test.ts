// The mutants of the simulation fit the source as it is now and the document. That each is noticed within its number of seeds
// is shown by `npm run test:long`, which runs them (test/simulation/kill-mutants.ts).
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { changed } from './mutants/mutant.ts';
import { MUTANTS } from './mutants/mutants.ts';

describe('mutants', () => {
  test('are at least thirty, each with a name of its own', () => {
    const names = MUTANTS.map(({ name }) => name);
    expect(names.length).toBeGreaterThanOrEqual(30);
    expect(new Set(names).size).toBe(names.length);
  });

  test('each is a change of the source as it is now', () => {
    for (const { changes, name } of MUTANTS) {
      for (const change of changes) {
        const text = readFileSync(change.file, 'utf8');
        expect(changed(text, change), name).not.toBe(text);
      }
    }
  });

  test('are in the table of the document, with what they take away and their seeds', () => {
    const document = readFileSync('docs/reliability.md', 'utf8');
    const rows = [...document.matchAll(/^\| `([a-z-]+)` \| (.+) \| ([\d ]+) \|$/gm)];
    const told = rows.map(([, name, what, seeds]) => [name, what, seeds]);
    const meant = MUTANTS.map(({ name, what, within }) => [name, what, spaced(within)]);
    expect(told).toEqual(meant);
  });
});

const spaced = (count: number): string => String(count).replace(/(?=(\d{3})+$)(?!^)/g, ' ');
