// Runs Stryker on source files with the plain tests of their floor (src/core/... with test/core/...).
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, relative, resolve } from 'node:path';
import process from 'node:process';
import type { Tried } from './score.ts';

const ROOT = resolve(import.meta.dirname, '../..');

/** The pattern of the test files, for the workers. */
export const TESTS_VARIABLE = 'TWAPD_MUTATION_TESTS';

/** Properties draw the same cases in every run, so that a score depends on the code and the tests only. */
const SEED = '1';

/** Above what a busy machine adds to a test. */
const TIMEOUT_MS = 20_000;

const floorOf = (file: string): string => file.split('/')[1] ?? '';

export async function tryMutants(files: readonly string[]): Promise<readonly Tried[]> {
  const floors = [...new Set(files.map(floorOf))];
  const [floor = ''] = floors;
  if (floors.length !== 1) {
    throw new Error(`files: of ${floors.join(', ')}; accepted: files of one folder below src`);
  }
  process.env[TESTS_VARIABLE] = `test/${floor}/**/*.test.ts`;
  process.env['TWAPD_SEED'] = SEED;
  // Loaded here: the tests of this folder need only the names above.
  const { Stryker } = await import('@stryker-mutator/core');
  const results = await new Stryker({
    mutate: [...files],
    testRunner: 'vitest',
    plugins: ['@stryker-mutator/vitest-runner'],
    vitest: {
      configFile: 'test/mutation/vitest.config.ts',
      related: false,
      // As the suite: Node takes the sizes of its heap for processes only.
      pool: 'forks',
    },
    coverageAnalysis: 'perTest',
    concurrency: availableParallelism(),
    timeoutMS: TIMEOUT_MS,
    // Node strips no types below node_modules, so the copy of the tree is not there.
    tempDirName: '.twapd-mutation',
    ignorePatterns: ['dist', '.twapd*', 'docs/.vitepress'],
    incremental: true,
    incrementalFile: `node_modules/.cache/mutation/${floor}.json`,
    reporters: ['progress-append-only'],
    allowConsoleColors: false,
  }).runMutationTest();
  const lines = new Map(
    files.map((file) => [file, readFileSync(join(ROOT, file), 'utf8').split('\n')]),
  );
  return results.map(({ fileName, mutatorName, location, replacement, status }) => {
    const file = relative(ROOT, resolve(ROOT, fileName));
    const line = lines.get(file)?.[location.start.line - 1]?.trim() ?? '';
    return { file, mutator: mutatorName, line, replacement: replacement ?? '', status };
  });
}
