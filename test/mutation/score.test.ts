// Scores of mutation testing, computed by their definitions, and their table in docs/reliability.md.
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import {
  equivalents,
  recordedScores,
  reliabilityPage,
  sourcesBelow,
  withTable,
} from './records.ts';
import { drawnSample } from './sampled-files.ts';
import {
  fewestDetected,
  percent,
  type Scores,
  scoresOf,
  scoreTable,
  survivors,
  type Tried,
} from './score.ts';

const tried = (status: string, replacement = '-', file = 'src/quant/a.ts'): Tried => ({
  file,
  mutator: 'ArithmeticOperator',
  line: 'return x + y;',
  replacement,
  status,
});

describe('the score of a file', () => {
  test('a score counts a failed test and an exceeded time as detected, and a survivor and an uncovered mutant as not', () => {
    const all = ['Killed', 'Timeout', 'Killed', 'Survived', 'NoCoverage'].map((status) =>
      tried(status),
    );
    expect(scoresOf(all, [])).toEqual({ 'src/quant/a.ts': { detected: 3, mutants: 5 } });
    expect(survivors(all, []).map(({ status }) => status)).toEqual(['Survived', 'NoCoverage']);
  });

  test('a score leaves out mutants that do not run', () => {
    const all = ['Killed', 'CompileError', 'RuntimeError', 'Ignored'].map((status) =>
      tried(status),
    );
    expect(scoresOf(all, [])).toEqual({ 'src/quant/a.ts': { detected: 1, mutants: 1 } });
  });

  test('a score leaves out an undetected equivalent, of this file, mutator, line and replacement only', () => {
    const known = [{ ...tried(''), reason: 'y is 0' }];
    const others = [
      tried('Survived', '*'),
      tried('Survived', '-', 'src/quant/b.ts'),
      { ...tried('Survived'), mutator: 'Regex' },
      { ...tried('Survived'), line: 'return y + x;' },
    ];
    expect(survivors([tried('Survived'), ...others], known)).toEqual(others);
    expect(scoresOf([tried('Survived'), ...others], known)).toEqual({
      'src/quant/a.ts': { detected: 0, mutants: 3 },
      'src/quant/b.ts': { detected: 0, mutants: 1 },
    });
    // One that is detected after all stays in the score.
    expect(scoresOf([tried('Killed')], known)).toEqual({
      'src/quant/a.ts': { detected: 1, mutants: 1 },
    });
  });

  test('a score is shown rounded down to a tenth of a percent', () => {
    expect(percent({ detected: 919, mutants: 999 })).toBe('91.9 %');
    expect(percent({ detected: 9_199, mutants: 10_000 })).toBe('91.9 %');
    expect(percent({ detected: 1_999, mutants: 2_000 })).toBe('99.9 %');
    expect(percent({ detected: 3, mutants: 3 })).toBe('100.0 %');
    expect(percent({ detected: 0, mutants: 0 })).toBe('–');
  });
});

describe('the fewest detected mutants of a sample', () => {
  /** Chance of fewer than `bound`, from the sum of binomial terms in exact integers: rate = detected / of. */
  function chanceBelow(bound: number, mutants: number, detected: number, of: number): number {
    let [sum, choose] = [0n, 1n];
    for (let k = 0; k < bound; k += 1) {
      sum += choose * BigInt(detected) ** BigInt(k) * BigInt(of - detected) ** BigInt(mutants - k);
      choose = (choose * BigInt(mutants - k)) / BigInt(k + 1);
    }
    return Number((sum * 10n ** 12n) / BigInt(of) ** BigInt(mutants)) / 1e12;
  }

  test.each([
    [150, 92, 100],
    [150, 99, 100],
    [40, 4, 5],
    [10, 1, 2],
    [7, 1, 100],
  ])(
    'the bound of %i mutants at %i detected of %i is undercut by chance less than once in a thousand',
    (mutants, detected, of) => {
      const bound = fewestDetected(mutants, { detected, mutants: of });
      expect(chanceBelow(bound, mutants, detected, of)).toBeLessThan(0.001);
      expect(chanceBelow(bound + 1, mutants, detected, of)).toBeGreaterThanOrEqual(0.001);
    },
  );

  test('the bound is all mutants where all were detected, and none where none was', () => {
    expect(fewestDetected(12, { detected: 30, mutants: 30 })).toBe(12);
    expect(fewestDetected(12, { detected: 0, mutants: 30 })).toBe(0);
  });
});

describe('the files of a sample', () => {
  const scores: Scores = {
    'src/core/a.ts': { detected: 9, mutants: 10 },
    'src/core/b/c.ts': { detected: 20, mutants: 30 },
    'src/core/types.ts': { detected: 0, mutants: 0 },
    'src/quant/d.ts': { detected: 5, mutants: 5 },
  };
  const drawn = (mutants: number): readonly (readonly string[])[] =>
    Array.from({ length: 60 }, (_, seed) => drawnSample(scores, mutants, String(seed)));

  test('the files are of one folder, each once, until they have enough mutants', () => {
    const kinds = new Set(drawn(10).map((files) => files.join(' ')));
    expect([...kinds].toSorted()).toEqual(['src/core/a.ts', 'src/core/b/c.ts', 'src/quant/d.ts']);
    const all = new Set(drawn(35).map((files) => files.toSorted().join(' ')));
    expect([...all].toSorted()).toEqual(['src/core/a.ts src/core/b/c.ts', 'src/quant/d.ts']);
  });

  test('the same commit draws the same files, and draws none where nothing was measured', () => {
    expect(drawn(10)).toEqual(drawn(10));
    expect(drawnSample({}, 10, '1')).toEqual([]);
  });
});

describe('the records', () => {
  test('the table has a row for each measured folder, with its files that have no score yet', () => {
    const scores = {
      'src/core/a.ts': { detected: 9, mutants: 10 },
      'src/core/b/c.ts': { detected: 20, mutants: 30 },
    };
    const sources = ['src/core/a.ts', 'src/core/b/c.ts', 'src/core/e.ts', 'src/quant/d.ts'];
    expect(scoreTable(scores, sources).split('\n').slice(2)).toEqual([
      '| `src/core` | 2 of 3 | 40 | 72.5 % |',
    ]);
  });

  test('the table of docs/reliability.md shows the recorded scores', () => {
    expect(reliabilityPage()).toBe(withTable(reliabilityPage(), recordedScores()));
  });

  test('scores are of files that exist, and no more mutants are detected than there are', () => {
    for (const [file, { detected, mutants }] of Object.entries(recordedScores())) {
      expect(existsSync(file), file).toBe(true);
      expect(detected, file).toBeLessThanOrEqual(mutants);
    }
  });

  test('each equivalent names a line of its file and a reason', () => {
    const lines = new Map(
      sourcesBelow('src').map((file) => [
        file,
        readFileSync(file, 'utf8')
          .split('\n')
          .map((line) => line.trim()),
      ]),
    );
    for (const { file, line, reason } of equivalents()) {
      expect(lines.get(file), file).toContain(line);
      expect(reason.length).toBeGreaterThan(10);
    }
  });
});
