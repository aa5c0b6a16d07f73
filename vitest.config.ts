// Two projects by what a test needs: files ending in .redis, .pg, .service or .daemon get a real Redis and PostgreSQL.
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

const NEEDING_SERVICES = 'test/**/*.{redis,pg,service,daemon}.test.ts';

export default defineConfig({
  test: {
    maxWorkers: availableParallelism(),
    // What hangs is ended, nothing is timed: a busy machine may take many times what a quiet one does.
    hookTimeout: 120_000,
    // As the daemon runs.
    execArgv: ['--disable-proto=delete'],
    projects: [
      {
        extends: true,
        test: {
          name: 'plain',
          include: ['test/**/*.test.ts'],
          exclude: [NEEDING_SERVICES],
          testTimeout: 120_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'services',
          include: [NEEDING_SERVICES],
          globalSetup: ['test/support/global-setup.ts'],
          testTimeout: 240_000,
          hookTimeout: 240_000,
        },
      },
    ],
  },
});
