// Files whose tests are steps of one course: one daemon, or one account, that each test takes further.
import { beforeAll } from 'vitest';

interface Suite {
  readonly tasks: readonly unknown[];
  shuffle?: boolean | undefined;
}

const isSuite = (task: unknown): task is Suite =>
  typeof task === 'object' && task !== null && 'tasks' in task;

function keepOrder(suite: Suite): void {
  suite.shuffle = false;
  for (const task of suite.tasks) if (isSuite(task)) keepOrder(task);
}

/** Called once at the top of such a file: its tests run in their order also when a run shuffles tests. */
// biome-ignore lint/correctness/noEmptyPattern: Vitest reads the pattern to learn which fixtures a hook wants, here none.
export const inOrder = (): void => beforeAll(({}, suite) => keepOrder(suite));
