// Mutation testing by Stryker: npm run mutation -- src/quant [--part K/N] [--record] | --sample
// Prints the mutants that no test detects. --record writes the scores of the files; --sample fails below the recorded ones.
import { mkdirSync } from 'node:fs';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { CANNOT_RUN } from '../long/task-run.ts';
import { commitNumber } from '../support/commit-number.ts';
import { equivalents, record, recordedScores, sourcesBelow } from './records.ts';
import { drawnSample } from './sampled-files.ts';
import { fewestDetected, percent, type Scores, scoresOf, survivors, total } from './score.ts';
import { tryMutants } from './stryker-run.ts';

/** About four minutes on an idle machine with two cores. */
const SAMPLE_MUTANTS = 150;

const say = (line: string): void => void process.stdout.write(`${line}\n`);

async function measured(files: readonly string[]): Promise<Scores> {
  mkdirSync('node_modules/.cache/mutation', { recursive: true });
  const known = equivalents();
  const tried = (await tryMutants(files)).filter(({ file }) => files.includes(file));
  for (const { file, mutator, line, replacement, status } of survivors(tried, known)) {
    say(`${status} ${file} ${mutator}\n    ${line}\n    ${replacement.split('\n').join(' ')}`);
  }
  const scores = scoresOf(tried, known);
  for (const [file, score] of Object.entries(scores)) {
    say(`${percent(score)} of ${score.mutants}: ${file}`);
  }
  return scores;
}

async function sample(): Promise<number> {
  const recorded = recordedScores();
  const files = drawnSample(recorded, SAMPLE_MUTANTS, String(commitNumber()));
  if (files.length === 0) {
    say('no file has a recorded score; measure a folder with --record');
    return CANNOT_RUN;
  }
  say(`sample: ${files.join(', ')}`);
  const found = total(Object.values(await measured(files)));
  const expected = total(files.flatMap((file) => recorded[file] ?? []));
  const fewest = fewestDetected(found.mutants, expected);
  say(`detected ${found.detected} of ${found.mutants}; accepted: at least ${fewest}`);
  say(`recorded of these files: ${percent(expected)}`);
  return found.detected >= fewest ? 0 : 1;
}

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      part: { type: 'string', default: '1/1' },
      record: { type: 'boolean', default: false },
      sample: { type: 'boolean', default: false },
    },
  });
  if (values.sample) return sample();
  const [part = 1, parts = 1] = values.part.split('/').map(Number);
  const files = positionals
    .flatMap((path) => sourcesBelow(path.replace(/\/$/, '')))
    .filter((_, index) => index % parts === part - 1);
  if (files.length === 0) {
    throw new Error('FOLDER: no TypeScript file; accepted: a folder or file below src');
  }
  const scores = await measured(files);
  say(`all: ${percent(total(Object.values(scores)))}`);
  if (values.record) record({ ...noMutants(files), ...scores });
  return 0;
}

/** Files of types only have no mutants, and are measured all the same. */
const noMutants = (files: readonly string[]): Scores =>
  Object.fromEntries(files.map((file) => [file, { detected: 0, mutants: 0 }]));

process.exitCode = await main();
