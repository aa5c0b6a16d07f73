// A run of the suite and of as many long tasks as there is time for, and what is said of it at the end. A task that fails runs once more:
// failing twice is a failure; failing once is printed with its log, as the first thing to mend.
import type { TaskRun } from './task-run.ts';
import type { Task } from './tasks.ts';

export interface LongRun {
  /** What `npm test` runs; absent: the tasks alone. */
  readonly suite: Task | undefined;
  readonly tasks: readonly Task[];
  readonly run: (task: Task, untilMs: number) => Promise<TaskRun>;
  readonly nowMs: () => number;
  /** For the tasks, from the end of the suite on. */
  readonly tasksMs: number;
  /** From now on: no task, and no second try of one, runs longer. */
  readonly allMs: number;
  /** The suite that has not ended by then hangs. */
  readonly suiteMs: number;
  readonly onPassed: (task: Task, seconds: number) => void;
}

export interface LongReport {
  readonly passed: number;
  readonly failed: readonly string[];
  readonly lines: readonly string[];
}

interface Tally {
  passed: number;
  readonly failed: string[];
  readonly ran: string[];
  readonly leftOut: string[];
  readonly wavering: string[];
}

export async function longRun(parts: LongRun): Promise<LongReport> {
  const { suite, tasks, nowMs, tasksMs, allMs } = parts;
  const tally: Tally = { passed: 0, failed: [], ran: [], leftOut: [], wavering: [] };
  const endMs = nowMs() + allMs;
  if (suite !== undefined) await runSuite(parts, suite, tally);
  const untilMs = Math.min(nowMs() + tasksMs, endMs);
  for (const task of tasks) {
    if (nowMs() < untilMs) await runTwice(parts, { task, untilMs, endMs, tally });
    else tally.leftOut.push(task.name);
  }
  return { passed: tally.passed, failed: tally.failed, lines: linesOf(tally) };
}

async function runSuite(parts: LongRun, suite: Task, tally: Tally): Promise<void> {
  const { end, seconds, counts } = await parts.run(suite, parts.nowMs() + parts.suiteMs);
  tally.ran.push(`${suite.name}: ${end} after ${seconds} s`);
  tally.passed += counts.passed;
  tally.failed.push(...counts.failed);
  if (end === 'stopped') tally.failed.push(`${suite.name}: not ended after ${seconds} s`);
  // A run can fail outside its tests.
  else if (end === 'failed' && counts.failed.length === 0) tally.failed.push(suite.name);
}

interface Try {
  readonly task: Task;
  readonly untilMs: number;
  readonly endMs: number;
  readonly tally: Tally;
}

async function runTwice(parts: LongRun, { task, untilMs, endMs, tally }: Try): Promise<void> {
  const { name } = task;
  const first = await parts.run(task, untilMs);
  if (first.end === 'stopped') {
    tally.leftOut.push(`${name} (stopped after ${first.seconds} s)`);
    // What had failed when its time was up has failed.
    tally.failed.push(...first.counts.failed.map((test) => `${name}\n      ${test}`));
    return;
  }
  const last = first.end === 'failed' ? await parts.run(task, endMs) : first;
  tally.ran.push(`${name}: ${last.end} after ${last.seconds} s`);
  if (first.end === 'failed') tally.wavering.push(logOf(`${name}, first run`, first.log));
  if (last.end === 'passed') {
    tally.passed += 1;
    parts.onPassed(task, last.seconds);
    if (first.end === 'failed') tally.ran.push(`   FAILED ONCE, then passed: mend it first`);
    return;
  }
  tally.wavering.push(logOf(`${name}, second run`, last.log));
  const why = last.end === 'stopped' ? ['no time was left for the end of a second run'] : [];
  tally.failed.push([name, ...why, ...last.counts.failed].join('\n      '));
}

const LOG_LINES = 200;

const logOf = (title: string, log: string): string =>
  [`\n== log of ${title}`, ...log.trimEnd().split('\n').slice(-LOG_LINES)].join('\n');

function linesOf({ ran, leftOut, failed, wavering, passed }: Tally): readonly string[] {
  const listed = (title: string, names: readonly string[]): readonly string[] =>
    names.length === 0 ? [] : [`\n${title}`, ...names.map((name) => `   ${name}`)];
  return [
    ...wavering,
    ...listed('Ran:', ran),
    ...listed('Left out, because no time was left:', leftOut),
    ...listed('Failed:', failed),
    `\n${passed} passed, ${failed.length} failed`,
  ];
}
