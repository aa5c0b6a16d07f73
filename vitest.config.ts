// Three projects by what a test needs: files ending in .redis, .pg, .service or .daemon get a real Redis and PostgreSQL;
// what loads the whole machine runs alone and first.
import { availableParallelism } from 'node:os';
import process from 'node:process';
import { defineConfig } from 'vitest/config';
import { isSelecting, LONG_FILES } from './test/long/long-files.ts';
import { commitNumber } from './test/support/commit-number.ts';
import { CostReporter } from './test/support/reporters/cost-reporter.ts';
import { CountReporter } from './test/support/reporters/count-reporter.ts';
import { LongestFirst } from './test/support/reporters/longest-first.ts';

const NEEDING_SERVICES = 'test/**/*.{redis,pg,service,daemon}.test.ts';

/** Beside anything else the resident starves on two cores, and its daemons log the time-outs of their stores. */
const ALONE = ['test/resident/*.test.ts'];

/** Left out of a run of all tests. */
const LONG = isSelecting(process.argv.slice(2)) ? [] : LONG_FILES;

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
      'test/support/property-seed.ts',
      'test/support/broken-pipes.ts',
      'test/support/reporters/file-cost.ts',
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
      {
        extends: true,
        test: {
          name: 'services',
          include: [NEEDING_SERVICES],
          exclude: [...ALONE, ...LONG],
          globalSetup: ['test/support/daemon/global-setup.ts'],
          testTimeout: 240_000,
          hookTimeout: 240_000,
          // They mostly wait for processes and timers: four more than there are cores keep the cores at work.
          maxWorkers: availableParallelism() + 4,
          // A worker loads the source once, not for every file: a second of processor time for each of them.
          isolate: false,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: 'plain',
          include: ['test/**/*.test.ts'],
          exclude: [NEEDING_SERVICES, ...ALONE, ...LONG],
          testTimeout: 120_000,
          // Some wait for processes and sockets: one more than there are cores keeps the cores at work.
          maxWorkers: availableParallelism() + 1,
          isolate: false,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
