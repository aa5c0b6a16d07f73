// What mutation testing has found so far: the scores of measured files, mutants listed as equivalent, and the table of
// docs/reliability.md.
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Equivalent, type Scores, scoreTable } from './score.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const SCORES = join(import.meta.dirname, 'scores.json');
const EQUIVALENTS = join(import.meta.dirname, 'equivalents.json');
const PAGE = join(ROOT, 'docs/reliability.md');

const BEGIN = '<!-- generated: npm run mutation -- FOLDER --record -->';
const END = '<!-- end of generated -->';

const json = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'));

/** TypeScript files below a folder of src, or the file itself. */
export function sourcesBelow(path: string): readonly string[] {
  const found = path.endsWith('.ts')
    ? globSync(path, { cwd: ROOT })
    : globSync(`${path}/**/*.ts`, { cwd: ROOT });
  return found.toSorted();
}

export const recordedScores = (): Scores => json(SCORES) as Scores;

export const equivalents = (): readonly Equivalent[] => json(EQUIVALENTS) as readonly Equivalent[];

/** The page with the table of these scores. */
export function withTable(page: string, scores: Scores): string {
  const [from, to] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (from < 0 || to < from) throw new Error(`docs/reliability.md: no lines ${BEGIN} and ${END}`);
  return `${page.slice(0, from)}${BEGIN}\n${scoreTable(scores, sourcesBelow('src'))}\n${page.slice(to)}`;
}

export const reliabilityPage = (): string => readFileSync(PAGE, 'utf8');

/** Replaces the scores of the measured files and forgets files that no longer exist. */
export function record(measured: Scores): void {
  const existing = new Set(sourcesBelow('src'));
  const scores = Object.fromEntries(
    Object.entries({ ...recordedScores(), ...measured })
      .filter(([file]) => existing.has(file))
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );
  const lines = Object.entries(scores).map(
    ([file, { detected, mutants }]) =>
      `  "${file}": { "detected": ${detected}, "mutants": ${mutants} }`,
  );
  writeFileSync(SCORES, lines.length === 0 ? '{}\n' : `{\n${lines.join(',\n')}\n}\n`);
  writeFileSync(PAGE, withTable(reliabilityPage(), scores));
}
