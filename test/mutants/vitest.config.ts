// Configures the test suite for runs under a source-text mutant: Node loads the modules itself, so that Node's hooks can
// apply the mutant and it never reaches the cache of transformed modules. One worker, because several mutants run at a time.
import { defineConfig } from 'vitest/config';
import suite from '../../vitest.config.ts';

const { projects = [], ...shared } = suite.test ?? {};

export default defineConfig({
  ...suite,
  test: {
    ...shared,
    experimental: { viteModuleRunner: false },
    projects: projects.map((project) =>
      typeof project === 'object' && 'test' in project
        ? { ...project, test: { ...project.test, maxWorkers: 1 } }
        : project,
    ),
  },
});
