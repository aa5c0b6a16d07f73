// Takes one margin, check or ordering of the engine away at a time, and expects the simulation to notice
// within a stated number of seeds. What is not noticed is not shown to be needed.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { runScript } from '../simulation/child.ts';
import { changed } from '../simulation/mutant.ts';
import { MUTANTS } from '../simulation/mutants.ts';

interface Killed {
  readonly name: string;
  readonly after?: number;
  readonly invariant?: string;
}

async function kill(names: readonly string[]): Promise<readonly Killed[]> {
  const { output, complaint } = await runScript('kill-mutants.ts', names);
  expect(complaint).toBe('');
  return output
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Killed);
}

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

  test('each is noticed within its number of seeds', async () => {
    const names = MUTANTS.map(({ name }) => name);
    const half = names.filter((_, index) => index % 2 === 0);
    const rest = names.filter((_, index) => index % 2 === 1);
    const killed = (await Promise.all([kill(half), kill(rest)])).flat();
    expect(killed.map(({ name }) => name).sort()).toEqual([...names].sort());
    expect(killed.filter(({ after }) => after === undefined)).toEqual([]);
  }, 1800_000);

  test('are in the table of the document, with what they take away and their seeds', () => {
    const document = readFileSync('docs/reliability.md', 'utf8');
    const rows = [...document.matchAll(/^\| `([a-z-]+)` \| (.+) \| ([\d ]+) \|$/gm)];
    const told = rows.map(([, name, what, seeds]) => [name, what, seeds]);
    const meant = MUTANTS.map(({ name, what, within }) => [name, what, spaced(within)]);
    expect(told).toEqual(meant);
  });
});

const spaced = (count: number): string => String(count).replace(/(?=(\d{3})+$)(?!^)/g, ' ');
