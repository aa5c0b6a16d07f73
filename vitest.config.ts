// Files ending in .redis, .pg, .service or .daemon get a real Redis and PostgreSQL. What loads the whole machine runs alone and first.
// A run of all tests is one project besides, so that its workers load the sources once each, and files that wait are beside files
// that compute; a run of selected files has two, so that the servers are started only for files that need them.
import { availableParallelism } from 'node:os';
import process from 'node:process';
import { defineConfig, type TestProjectConfiguration } from 'vitest/config';
import { isSelecting, LONG_FILES } from './test/long/long-files.ts';
import { commitNumber } from './test/support/commit-number.ts';
import { CostReporter } from './test/support/reporters/cost-reporter.ts';
import { CountReporter } from './test/support/reporters/count-reporter.ts';
import { LongestFirst } from './test/support/reporters/longest-first.ts';

const NEEDING_SERVICES = 'test/**/*.{redis,pg,service,daemon}.test.ts';

/** Beside anything else the resident starves on two cores, and its daemons log the time-outs of their stores. */
const ALONE = ['test/resident/*.test.ts'];

const IS_SELECTING = isSelecting(process.argv.slice(2));

/** Left out of a run of all tests. */
const LONG = IS_SELECTING ? [] : LONG_FILES;

const ALL = 'test/**/*.test.ts';
const SERVERS = { globalSetup: ['test/support/daemon/global-setup.ts'] };
/** A worker loads the source once, not for every file: a second of processor time for each of them. */
const SHARED = { isolate: false, testTimeout: 240_000, hookTimeout: 240_000 };

/** Some wait for processes and timers, most compute: three more workers than there are cores keep the cores at work. */
const EVERYTHING: TestProjectConfiguration = {
  extends: true,
  test: {
    ...{ name: 'suite', include: [ALL], exclude: [...ALONE, ...LONG], ...SERVERS, ...SHARED },
    maxWorkers: availableParallelism() + 3,
    sequence: { groupOrder: 1 },
  },
};

const SELECTED: readonly TestProjectConfiguration[] = [
  {
    extends: true,
    test: {
      ...{ name: 'services', include: [NEEDING_SERVICES], exclude: ALONE, ...SERVERS, ...SHARED },
      maxWorkers: availableParallelism() + 4,
      sequence: { groupOrder: 1 },
    },
  },
  {
    extends: true,
    test: {
      ...{ name: 'plain', include: [ALL], exclude: [NEEDING_SERVICES, ...ALONE], ...SHARED },
      maxWorkers: availableParallelism() + 1,
      sequence: { groupOrder: 2 },
    },
  },
];

const COUNTS = process.env['TWAPD_TEST_COUNTS'];

/** The seed of the properties; another one explores further. */
const SEED = process.env['TWAPD_SEED'] ?? String(commitNumber());

export default defineConfig({
  test: {
    // What hangs is ended, nothing is timed: a busy machine may take many times what a quiet one does.
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
    // As src/setup/launch.mjs starts the daemon. A young generation of this size saves a twentieth of the processor time.
    execArgv: ['--disable-proto=delete', '--min-semi-space-size=16', '--max-semi-space-size=16'],
    // Node loads the sources itself, as it does in production. Vite's module runner would turn every call of an imported function
    // into a property of its module, at a fifth more processor time, and would transform what Node only strips of its types.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    reporters: ['default', new CostReporter(), ...(COUNTS ? [new CountReporter(COUNTS)] : [])],
    env: { TWAPD_SEED: SEED },
    setupFiles: [
      'test/support/plain-assertions.ts',
      'test/support/property-seed.ts',
      'test/support/broken-pipes.ts',
      'test/support/reporters/file-cost.ts',
      'test/support/daemon/no-programming-errors.ts',
    ],
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        extends: true,
        test: {
          name: 'alone',
          include: ALONE,
          exclude: [...LONG],
          fileParallelism: false,
          sequence: { groupOrder: 0 },
        },
      },
      ...(IS_SELECTING ? SELECTED : [EVERYTHING]),
    ],
  },
});
