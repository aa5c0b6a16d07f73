// The tests nearest to a source file, to find which of them notice a mutant: `npm run mutants -- NAME --nearest`.
import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, normalize } from 'node:path';

/** Excludes tests that take minutes or start processes: they are seldom the nearest. */
const HEAVY = /\.(daemon|service|pg|redis)\.test\.ts$|^test\/(virtual|main|mutants|setup)\//;
const NEAREST_MAX = 16;

interface ReachedBy {
  readonly test: string;
  /** The number of imports between them. */
  readonly level: number;
}

/** The tests nearest to each source file. */
export function testsByFile(): ReadonlyMap<string, readonly string[]> {
  const imports = new Map(
    [...filesBelow('src'), ...filesBelow('test')].map((file) => [file, importsOf(file)]),
  );
  const near = new Map<string, ReachedBy[]>();
  for (const test of imports.keys()) {
    if (!test.endsWith('.test.ts') || HEAVY.test(test)) continue;
    const seen = new Set([test]);
    let edge = [test];
    for (let level = 1; edge.length > 0; level += 1) {
      edge = edge
        .flatMap((file) => imports.get(file) ?? [])
        .filter((file) => !seen.has(file) && seen.add(file));
      for (const file of edge) {
        const tests = near.get(file) ?? [];
        tests.push({ test, level });
        near.set(file, tests);
      }
    }
  }
  return new Map([...near].map(([file, tests]) => [file, nearest(file, tests)]));
}

/**
 * The first of the tests that reach a file. A test of a whole flow is many imports away from code that only it
 * exercises, so its name and folder count before the distance.
 */
export function nearest(file: string, tests: readonly ReachedBy[]): readonly string[] {
  return tests
    .map(({ test, level }) => ({ test, level, kinship: kinshipOf(file, test) }))
    .toSorted((a, b) => b.kinship - a.kinship || a.level - b.level)
    .slice(0, NEAREST_MAX)
    .map(({ test }) => test);
}

/** The larger, the more the names say that the test is about the file. */
function kinshipOf(file: string, test: string): number {
  const folders = dirname(file).split('/').slice(1);
  const tested = dirname(test).split('/').slice(1);
  const stem = basename(test).split('.')[0] ?? '';
  if (stem === basename(file, '.ts')) return 30;
  if (folders.includes(stem)) return 20;
  // The folders of tests mirror those of the sources as far as they have the same names; one may also have the same
  // name on another floor.
  const apart = tested.findIndex((folder, depth) => folder !== folders[depth]);
  const shared = apart < 0 ? tested.length : apart;
  return shared === 0 && tested.at(-1) === folders.at(-1) ? 1 : shared;
}

const importsOf = (file: string): readonly string[] =>
  [...readFileSync(file, 'utf8').matchAll(/from '(\.[^']+)'/g)].map(([, path]) =>
    normalize(join(dirname(file), path ?? '')),
  );

const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => join(entry.parentPath, entry.name));
