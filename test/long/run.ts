// Runs the tests that take too long for `npm test`, one task after another, and shows the progress of each:
// npm run test:long -- [--list] [--only WORDS] [--minutes M: for the tasks] [--all-minutes M: for everything] [--suite: `npm test` first]
// [--record: note what passed in test/long/last-runs.json]. Ends with the line `N passed, N failed`, and with exit code 1 only if something failed.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { commitNumber } from '../support/commit-number.ts';
import { onEndSignal, StartedProcesses } from '../support/started-processes.ts';
import { longRun } from './long-run.ts';
import { runTask } from './task-run.ts';
import { aloneTask, CHECKS, TASKS, type Task, VITEST } from './tasks.ts';
import { inTurn, type LastRuns } from './turns.ts';

const HARD_END_MS = 15_000;
const MINUTE_MS = 60_000;
/** `npm test` takes a few minutes on two cores; alongside other work a multiple of that. */
const SUITE_MS = 55 * MINUTE_MS;
const LAST_RUNS = join(import.meta.dirname, 'last-runs.json');
const SUITE: Task = {
  name: 'the tests of `npm test`',
  words: ['src/setup/run.mjs', '--test', VITEST, 'run'],
};

const started = new StartedProcesses();
const folder = mkdtempSync(join(tmpdir(), 'twapd-long-'));
const removeFolder = (): void => rmSync(folder, { recursive: true, force: true });
onEndSignal((code) => {
  void started.end(HARD_END_MS).finally(() => {
    removeFolder();
    process.exit(code);
  });
});
// The reader may close the pipe early, as in `npm run -s test:long -- --list | head`. What runs continues to its end.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});
const say = (line: string): void => void process.stdout.write(`${line}\n`);

const lastRuns = (): LastRuns => JSON.parse(readFileSync(LAST_RUNS, 'utf8')) as LastRuns;
const today = (): string => new Date().toISOString().slice(0, 10);

function note({ name }: Task, seconds: number): void {
  const noted = { ...lastRuns(), [name]: { day: today(), seconds } };
  const sorted = Object.entries(noted).toSorted(([a], [b]) => (a < b ? -1 : 1));
  writeFileSync(LAST_RUNS, `${JSON.stringify(Object.fromEntries(sorted), undefined, 2)}\n`);
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      list: { type: 'boolean', default: false },
      only: { type: 'string', default: '' },
      minutes: { type: 'string', default: '1440' },
      'all-minutes': { type: 'string', default: '1440' },
      suite: { type: 'boolean', default: false },
      record: { type: 'boolean', default: false },
    },
  });
  const turn = { lastRuns: lastRuns(), today: today(), commit: commitNumber() };
  const named = TASKS.filter(({ name }) => name.includes(values.only));
  const tasks = [...(values.suite ? [CHECKS] : []), ...inTurn(named, turn)];
  say(`${named.length} of ${TASKS.length} long tasks, by their last runs and commit:`);
  for (const { name } of tasks) {
    const last = turn.lastRuns[name];
    say(`   ${name}${last === undefined ? '' : ` (passed on ${last.day} in ${last.seconds} s)`}`);
  }
  if (values.list) return 0;
  const { failed, lines } = await longRun({
    tasks,
    suite: values.suite ? SUITE : undefined,
    suiteMs: SUITE_MS,
    tasksMs: Number(values.minutes) * MINUTE_MS,
    allMs: Number(values['all-minutes']) * MINUTE_MS,
    nowMs: () => performance.now(),
    alone: aloneTask,
    run: (task, untilMs) => {
      say(`\n== ${task.name}`);
      return runTask(task, { folder, untilMs, say, isShown: task === SUITE });
    },
    onPassed: (task, seconds) => {
      if (values.record) note(task, seconds);
    },
  });
  for (const line of lines) say(line);
  return failed.length === 0 ? 0 : 1;
}

try {
  process.exitCode = await main();
} finally {
  removeFolder();
}
