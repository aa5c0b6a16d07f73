// Draws candidate mutants from the source by pattern, to find changes that no test detects: `npm run mutants -- --sample 20
// --seed 7 --under src/core`. A person reviews the survivors: each is a missing test, or a change without effect.
import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, normalize } from 'node:path';
import { rng } from '../../src/values/rng.ts';
import type { SourceMutant } from './source-mutant.ts';

interface Pattern {
  readonly name: string;
  readonly what: string;
  readonly find: RegExp;
  readonly put: (found: string) => string;
}

const PATTERNS: readonly Pattern[] = [
  { name: 'before', what: '< is <=', find: / < /g, put: () => ' <= ' },
  { name: 'not-after', what: '<= is <', find: / <= /g, put: () => ' < ' },
  { name: 'after', what: '> is >=', find: / > /g, put: () => ' >= ' },
  { name: 'not-before', what: '>= is >', find: / >= /g, put: () => ' > ' },
  {
    name: 'rounding',
    what: 'rounds the other way',
    find: /'(up|down|floor|ceil|ceiling)'/g,
    put: (found) => ROUNDED[found] ?? found,
  },
  { name: 'added', what: 'a sum is a difference', find: /\bplus\(/g, put: () => 'minus(' },
  { name: 'subtracted', what: 'a difference is a sum', find: /\bminus\(/g, put: () => 'plus(' },
  { name: 'sign', what: 'a sign is lost', find: /\bnegate\(/g, put: () => '(' },
  {
    name: 'term',
    what: 'an added term is dropped',
    find: / \+ [a-z][\w.]*(?=[;,)])/g,
    put: () => '',
  },
  {
    name: 'less',
    what: 'a subtracted term is dropped',
    find: / - [a-z][\w.]*(?=[;,)])/g,
    put: () => '',
  },
  { name: 'and', what: 'one condition is enough', find: / && /g, put: () => ' || ' },
  { name: 'or', what: 'both conditions are needed', find: / \|\| /g, put: () => ' && ' },
  { name: 'either', what: 'a condition is turned round', find: / === /g, put: () => ' !== ' },
];

const ROUNDED: Readonly<Record<string, string>> = {
  "'up'": "'down'",
  "'down'": "'up'",
  "'floor'": "'ceil'",
  "'ceil'": "'floor'",
};

/** Excludes tests that take minutes or start processes: a sample uses the tests nearest to the code. */
const HEAVY = /\.(daemon|service|pg|redis)\.test\.ts$|^test\/(virtual|main|mutants|setup)\//;
const NEAREST_MAX = 16;

export interface SampledFile {
  readonly file: string;
  readonly text: string;
  /** The tests that are asked. */
  readonly killedBy: readonly string[];
}

interface Sampling {
  readonly count: number;
  readonly seed: string;
  readonly files: readonly SampledFile[];
}

export function sampleMutants({ count, seed, files }: Sampling): readonly SourceMutant[] {
  const candidates = files.flatMap(candidatesIn);
  const random = rng(`mutants ${seed}`);
  const drawn: SourceMutant[] = [];
  while (drawn.length < count && candidates.length > 0) {
    drawn.push(...candidates.splice(random.below(candidates.length), 1));
  }
  return drawn;
}

/** The source below a folder, by default the code that decides about orders and money, with the tests nearest to each file. */
export function sampledFiles(under: string): readonly SampledFile[] {
  const floors = ['core', 'engine', 'exchange', 'gateway'].map((floor) => `src/${floor}/`);
  const roots = under === '' ? floors : [under];
  const near = testsByFile();
  return filesBelow('src')
    .filter((file) => roots.some((root) => file.startsWith(root)) && near.has(file))
    .map((file) => ({ file, text: readFileSync(file, 'utf8'), killedBy: near.get(file) ?? [] }));
}

function candidatesIn({ file, text, killedBy }: SampledFile): SourceMutant[] {
  return PATTERNS.flatMap(({ name, what, find, put }) =>
    [...text.matchAll(find)].flatMap((match) => {
      const around = unique(text, match.index, match[0].length);
      if (around === undefined || isComment(text, match.index)) return [];
      const line = text.slice(0, match.index).split('\n').length;
      const before = text.slice(around.from, match.index);
      const after = text.slice(match.index + match[0].length, around.to);
      return {
        name: `${file.replaceAll(/[/.]/g, '-')}-${line}-${name}`,
        what: `line ${line}, ${what}: ${text.split('\n')[line - 1]?.trim()}`,
        file,
        find: text.slice(around.from, around.to),
        put: `${before}${put(match[0])}${after}`,
        killedBy,
      };
    }),
  );
}

/** A piece of text around the place that occurs only once. */
function unique(
  text: string,
  index: number,
  length: number,
): { from: number; to: number } | undefined {
  for (let more = 10; more < 400; more *= 2) {
    const [from, to] = [Math.max(0, index - more), Math.min(text.length, index + length + more)];
    if (text.split(text.slice(from, to)).length === 2) return { from, to };
  }
  return undefined;
}

function isComment(text: string, index: number): boolean {
  const line = text.slice(text.lastIndexOf('\n', index) + 1, index).trimStart();
  return (
    line.startsWith('*') ||
    line.startsWith('/') ||
    line.includes(' // ') ||
    line.startsWith('import')
  );
}

interface ReachedBy {
  readonly test: string;
  /** The number of imports between them. */
  readonly level: number;
}

/** The tests nearest to each source file. */
function testsByFile(): ReadonlyMap<string, readonly string[]> {
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
