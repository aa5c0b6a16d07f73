// A run of the suite and of as many long tasks as there is time for, and what is said of it at the end. A task that fails runs once more:
// failing twice is a failure; failing once is printed with its log, as the first thing to mend. What fails in the suite is a failure; it
// runs once more to say whether it fails alone.
import type { TaskRun } from './task-run.ts';
import type { Task } from './tasks.ts';

export interface LongRun {
  /** What `npm test` runs; absent: the tasks alone. */
  readonly suite: Task | undefined;
  readonly tasks: readonly Task[];
  /** Runs test files that failed in the suite, alone. */
  readonly alone: (files: readonly string[]) => Task;
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
  if (suite !== undefined) await runSuite(parts, { suite, endMs, tally });
  const untilMs = Math.min(nowMs() + tasksMs, endMs);
  for (const task of tasks) {
    if (nowMs() < untilMs) await runTwice(parts, { task, untilMs, endMs, tally });
    else tally.leftOut.push(`${task.name}: no time was left`);
  }
  return { passed: tally.passed, failed: tally.failed, lines: linesOf(tally) };
}

interface SuiteRun {
  readonly suite: Task;
  readonly endMs: number;
  readonly tally: Tally;
}

async function runSuite(parts: LongRun, { suite, endMs, tally }: SuiteRun): Promise<void> {
  const { end, seconds, counts } = await parts.run(suite, parts.nowMs() + parts.suiteMs);
  tally.ran.push(`${suite.name}: ${end} after ${seconds} s`);
  tally.passed += counts.passed;
  tally.failed.push(...counts.failed);
  if (end === 'stopped') tally.failed.push(`${suite.name}: not ended after ${seconds} s`);
  // A run can fail outside its tests.
  else if (end === 'failed' && counts.failed.length === 0) tally.failed.push(suite.name);
  const files = filesOf(counts.failed);
  if (end === 'failed' && files.length > 0 && files.length <= ALONE_MAX) {
    await runAlone(parts, { files, endMs, tally });
  }
}

/** More files than that fail for a reason that their logs show together. */
const ALONE_MAX = 5;

/** Of the failures of a run, as `test/a.test.ts: its name`. */
const filesOf = (failed: readonly string[]): readonly string[] => [
  ...new Set(failed.flatMap((text) => /^test\/\S+\.test\.tsx?(?=: )/.exec(text) ?? [])),
];

interface AloneRun {
  readonly files: readonly string[];
  readonly endMs: number;
  readonly tally: Tally;
}

/** Changes no outcome: what fails alongside others and passes alone knows the speed of the machine, or what others leave behind. */
async function runAlone(parts: LongRun, { files, endMs, tally }: AloneRun): Promise<void> {
  const { name, ...rest } = parts.alone(files);
  const { end, seconds, log } = await parts.run({ name, ...rest }, endMs);
  tally.ran.push(`${name}: ${end} after ${seconds} s`);
  if (end === 'passed') tally.ran.push('   FAILED IN THE SUITE, then passed alone: mend it first');
  else tally.wavering.push(logOf(name, log));
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
  if (first.end === 'cannot run') {
    tally.leftOut.push(`${name}: ${first.log.trimEnd().split('\n').at(-1)}`);
    return;
  }
  if (first.end === 'stopped') {
    tally.leftOut.push(`${name}: no time was left (stopped after ${first.seconds} s)`);
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
    if (first.end === 'failed') tally.ran.push('   FAILED ONCE, then passed: mend it first');
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
    ...listed('Left out:', leftOut),
    ...listed('Failed:', failed),
    `\n${passed} passed, ${failed.length} failed`,
  ];
}
