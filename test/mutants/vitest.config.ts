// Configures the test suite for runs under a source-text mutant: Node loads the modules itself, as in
// every run, so that Node's hooks can apply the mutant. One worker, because several mutants run at a time.
import { defineConfig } from 'vitest/config';
import type { TestSpecification } from 'vitest/node';
import suite from '../../vitest.config.ts';
import { LongestFirst } from '../support/reporters/longest-first.ts';

/** The first failure ends the run with the nearest tests, so the quickest files come first. */
class ShortestFirst extends LongestFirst {
  override async sort(specs: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(specs)).toReversed();
  }
}

const { projects = [], ...shared } = suite.test ?? {};

export default defineConfig({
  ...suite,
  test: {
    ...shared,
    sequence: { ...shared.sequence, sequencer: ShortestFirst },
    projects: projects.map((project) =>
      typeof project === 'object' && 'test' in project
        ? { ...project, test: { ...project.test, maxWorkers: 1 } }
        : project,
    ),
  },
});
