// The mutants of the simulation match the current source and the document. `npm run test:long` runs them
// (test/simulation/kill-mutants.ts) and shows that each is detected within its number of seeds.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { changed } from './mutants/mutant.ts';
import { MUTANTS } from './mutants/mutants.ts';

describe('the mutants of the simulation', () => {
  test('the mutants of the simulation are at least thirty, each with a unique name', () => {
    const names = MUTANTS.map(({ name }) => name);
    expect(names.length).toBeGreaterThanOrEqual(30);
    expect(new Set(names).size).toBe(names.length);
  });

  test('each change the current source', () => {
    for (const { changes, name } of MUTANTS) {
      for (const change of changes) {
        const text = readFileSync(change.file, 'utf8');
        expect(changed(text, change), name).not.toBe(text);
      }
    }
  });

  test('the mutants of the simulation equal the list of docs/reliability.md: name, description and seeds', () => {
    const document = readFileSync('docs/reliability.md', 'utf8');
    const rows = [...document.matchAll(/^- `([a-z-]+)` \(([\d ]+)\): (.+)$/gm)];
    const told = rows.map(([, name, seeds, what]) => [name, what, seeds]);
    const meant = MUTANTS.map(({ name, what, within }) => [name, what, spaced(within)]);
    expect(told).toEqual(meant);
  });
});

const spaced = (count: number): string => String(count).replace(/(?=(\d{3})+$)(?!^)/g, ' ');
