// Runs the tests that take too long for `npm test`, one task after another, and shows the progress of each:
// npm run test:long -- [--list] [--only WORDS] [--share N: the N-th part of them, chosen by the commit] [--minutes M: stop after]
// [--suite: `npm test` first]. Ends with the line `N passed, N failed`, and with exit code 1 only if a task failed.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { commitNumber } from '../support/commit-number.ts';
import { onEndSignal, StartedProcesses } from '../support/started-processes.ts';
import { rotated, TASKS, type Task, VITEST } from './tasks.ts';

const HARD_END_MS = 15_000;
const SHOWN_EVERY_MS = 60_000;

interface Tally {
  passed: number;
  /** Names of what failed, printed last, where a reader of the log looks first. */
  readonly failed: string[];
}

type End = 'passed' | 'failed' | 'stopped';

const started = new StartedProcesses();
const folder = mkdtempSync(join(tmpdir(), 'twapd-long-'));
const removeFolder = (): void => rmSync(folder, { recursive: true, force: true });
onEndSignal((code) => {
  void started.end(HARD_END_MS).finally(() => {
    removeFolder();
    process.exit(code);
  });
});
const countsFile = join(folder, 'counts.json');
const COUNTING = { TWAPD_TEST_COUNTS: countsFile };
const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** Ends the task and every process it started when its time is up. */
function run({ name, words, environment }: Task, untilMs: number): Promise<End> {
  const startedMs = performance.now();
  const passed = (): string => `${Math.round((performance.now() - startedMs) / 1_000)} s`;
  say(`\n== ${name}`);
  rmSync(countsFile, { force: true });
  const child = spawn(process.execPath, words, {
    env: { ...process.env, ...environment, ...(words.includes(VITEST) && COUNTING) },
    stdio: ['ignore', 'inherit', 'inherit'],
    detached: true,
  });
  const signal = (kind: 'SIGTERM' | 'SIGKILL'): void => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, kind);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  };
  let isStopped = false;
  const stop = setTimeout(
    () => {
      isStopped = true;
      signal('SIGTERM');
      setTimeout(() => signal('SIGKILL'), HARD_END_MS).unref();
    },
    Math.max(0, untilMs - performance.now()),
  );
  const shown = setInterval(() => say(`   … ${name}: ${passed()}`), SHOWN_EVERY_MS);
  return new Promise((done) => {
    const over = (end: End): void => {
      clearTimeout(stop);
      clearInterval(shown);
      say(`== ${name}: ${end} after ${passed()}`);
      done(end);
    };
    child.once('error', (error) => {
      say(error.message);
      over('failed');
    });
    child.once('exit', (code) => over(isStopped ? 'stopped' : code === 0 ? 'passed' : 'failed'));
  });
}

/** The tests of a task that had ended when it was stopped or finished; none of a task that Vitest does not run. */
function counted(): Tally {
  try {
    return JSON.parse(readFileSync(countsFile, 'utf8')) as Tally;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { passed: 0, failed: [] };
    throw error;
  }
}

async function main(): Promise<Tally> {
  const { values } = parseArgs({
    options: {
      list: { type: 'boolean', default: false },
      only: { type: 'string', default: '' },
      share: { type: 'string', default: '1' },
      minutes: { type: 'string', default: '1440' },
      suite: { type: 'boolean', default: false },
    },
  });
  const untilMs = performance.now() + Number(values.minutes) * 60_000;
  const turn = commitNumber();
  const named = TASKS.filter(({ name }) => name.includes(values.only));
  const tasks = rotated(named, turn, Number(values.share));
  const tally: Tally = { passed: 0, failed: [] };
  say(`${tasks.length} of ${TASKS.length} long tasks, by commit ${turn.toString(16)}:`);
  for (const { name } of tasks) say(`   ${name}`);
  if (values.list) return tally;
  if (values.suite) {
    const words = ['src/setup/run.mjs', '--test', VITEST, 'run'];
    const end = await run({ name: 'the tests of `npm test`', words }, untilMs);
    const { passed, failed } = counted();
    tally.passed += passed;
    // A run can fail outside its tests; a run that was stopped has failed only where a test has.
    tally.failed.push(...failed);
    if (end === 'failed' && failed.length === 0) tally.failed.push('the tests of `npm test`');
  }
  const left: string[] = [];
  for (const task of tasks) {
    const end = performance.now() < untilMs ? await run(task, untilMs) : 'stopped';
    if (end === 'stopped') left.push(task.name);
    else if (end === 'passed') tally.passed += 1;
    else tally.failed.push([task.name, ...counted().failed].join('\n      '));
  }
  if (left.length > 0) say(`\nno time was left for: ${left.join('; ')}`);
  return tally;
}

try {
  const { passed, failed } = await main();
  if (failed.length > 0) say('\nFailed:');
  for (const name of failed) say(`   ${name}`);
  say(`\n${passed} passed, ${failed.length} failed`);
  process.exitCode = failed.length === 0 ? 0 : 1;
} finally {
  removeFolder();
}
