// Configures the test suite for Stryker: plain test files that the environment names, and no server. A worker serves all files of one
// mutant and ends with it, so the mutant is active while its modules load.
import { resolve } from 'node:path';
import process from 'node:process';
import { defineConfig } from 'vitest/config';
import suite from '../../vitest.config.ts';
import { TESTS_VARIABLE } from './stryker-run.ts';

const { projects: _, reporters: __, ...shared } = suite.test ?? {};

export default defineConfig({
  ...suite,
  root: resolve(import.meta.dirname, '../..'),
  test: {
    ...shared,
    include: [process.env[TESTS_VARIABLE] ?? ''],
    exclude: ['test/**/*.{redis,pg,service,daemon}.test.ts'],
    isolate: false,
  },
});
