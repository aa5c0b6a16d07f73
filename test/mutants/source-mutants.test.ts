// The lists of source-text mutants match the current source, and the evaluation of their runs distinguishes its verdicts.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { LEDGER_VARIANTS, TELEMETRY_VARIANTS } from '../../bench/machinery-variants.ts';
import { sourceMutants } from './lists.ts';
import { nearest } from './nearest-tests.ts';
import { judge, type Report } from './verdict.ts';

const MUTANTS = await sourceMutants();

describe('the lists of source-text mutants', () => {
  test('name every mutant once, in kebab case', () => {
    const names = MUTANTS.map(({ name }) => name);
    expect(names.length).toBeGreaterThan(0);
    expect(new Set(names).size).toBe(names.length);
    expect(names.filter((name) => !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name))).toEqual([]);
  });

  test.each(MUTANTS)('$name changes exactly one place of its file', ({ file, find, put }) => {
    expect(file).toMatch(/^src\//);
    expect(readFileSync(file, 'utf8').split(find)).toHaveLength(2);
    expect(put).not.toBe(find);
  });

  test.each(MUTANTS)('$name names tests that exist', ({ killedBy }) => {
    expect(killedBy.length).toBeGreaterThan(0);
    expect(killedBy.filter((file) => !file.endsWith('.test.ts') || !existsSync(file))).toEqual([]);
  });
});

test.each(['src', 'test', 'bench'])(
  'every TypeScript file of %s loads in Node without a bundler, as it must in a run under a mutant',
  (folder) => {
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => join(folder, file));
    expect(files.length).toBeGreaterThan(0);
    expect(files.flatMap(faultsOf)).toEqual([]);
  },
);

function faultsOf(file: string): readonly string[] {
  try {
    stripTypeScriptTypes(readFileSync(file, 'utf8'));
    return [];
  } catch (error) {
    return [`${file}: ${error}`];
  }
}

describe('the bench of machinery', () => {
  test.each([...LEDGER_VARIANTS, ...TELEMETRY_VARIANTS])(
    '$what changes exactly one place of its file',
    ({ file, find, put }) => {
      expect(readFileSync(file, 'utf8').split(find)).toHaveLength(2);
      expect(put).not.toBe(find);
    },
  );
});

describe('a run under a mutant', () => {
  const result = (name: string, ...statuses: string[]): Report['testResults'][number] => ({
    name: `/root/${name}`,
    status: statuses.includes('failed') || statuses.length === 0 ? 'failed' : 'passed',
    message: 'SyntaxError: unexpected token\n  at line 1',
    startTime: 0,
    endTime: 1,
    assertionResults: statuses.map((status, index) => ({ status, fullName: `test ${index}` })),
  });
  const verdict = (named: readonly string[], ...testResults: Report['testResults'][number][]) =>
    judge({ testResults }, named, '/root');

  test('a run kills its mutant when a test fails, and names the files that did not detect it', () => {
    expect(verdict(['a', 'b'], result('a', 'passed', 'failed'), result('b', 'passed'))).toEqual({
      kind: 'killed',
      by: 'a "test 1"',
      missedBy: ['b'],
    });
  });

  test('a mutant survives a run in which every test passes', () => {
    expect(verdict(['a'], result('a', 'passed'))).toEqual({ kind: 'survived' });
  });

  test('a run proves nothing when a file does not load, or was not run', () => {
    expect(verdict(['a'], result('a'))).toEqual({
      kind: 'broken',
      why: 'a failed outside its tests: SyntaxError: unexpected token',
    });
    expect(verdict(['a', 'b'], result('a', 'failed'))).toEqual({
      kind: 'broken',
      why: 'not run: b',
    });
  });
});

test('the nearest tests are those named after a file or its folders first, then those the fewest imports away', () => {
  const reached = [
    { test: 'test/engine/near.test.ts', level: 1 },
    { test: 'test/engine/far.test.ts', level: 9 },
    { test: 'test/core/order/sibling.test.ts', level: 8 },
    { test: 'test/core/rfq/crash.test.ts', level: 7 },
    { test: 'test/engine/all/rfq.test.ts', level: 8 },
    { test: 'test/engine/rfq/flow.test.ts', level: 6 },
    { test: 'test/core/limit.property.test.ts', level: 5 },
  ];
  expect(nearest('src/core/rfq/limit.ts', reached)).toEqual([
    'test/core/limit.property.test.ts',
    'test/engine/all/rfq.test.ts',
    'test/core/rfq/crash.test.ts',
    'test/engine/rfq/flow.test.ts',
    'test/core/order/sibling.test.ts',
    'test/engine/near.test.ts',
    'test/engine/far.test.ts',
  ]);
  const many = Array.from({ length: 20 }, (_, level) => ({
    test: `test/t${level}.test.ts`,
    level,
  }));
  expect(nearest('src/core/rfq/limit.ts', many)).toHaveLength(16);
});
