// What a run of long tasks does with its time, and what it says at its end, with tasks that only say how they end.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { type LongRun, longRun } from './long-run.ts';
import type { TaskRun } from './task-run.ts';
import type { Task } from './tasks.ts';

const MINUTE_MS = 60_000;
type End = TaskRun['end'];

/** Each task takes the minutes that stand for it and ends as it says, once for each of its ends; its time cuts it off. */
function stage(
  script: Readonly<Record<string, { minutes: number; ends: End[] }>>,
  failures: readonly string[] = ['one'],
) {
  let nowMs = 0;
  const started: string[] = [];
  const noted: string[] = [];
  const named = (name: string): Task => ({ name, words: [] });
  const run = async ({ name }: Task, untilMs: number): Promise<TaskRun> => {
    const { minutes, ends } = script[name] ?? { minutes: 0, ends: [] };
    started.push(name);
    const wouldEndMs = nowMs + minutes * MINUTE_MS;
    const isStopped = wouldEndMs > untilMs;
    const seconds = (Math.min(wouldEndMs, untilMs) - nowMs) / 1_000;
    nowMs = Math.min(wouldEndMs, untilMs);
    const end = isStopped ? 'stopped' : (ends.shift() ?? 'passed');
    const counts =
      name === 'suite' ? { passed: 9_000, failed: end === 'failed' ? failures : [] } : NONE;
    return await Promise.resolve({ end, seconds, counts, log: `what ${name} printed\n` });
  };
  const parts: LongRun = {
    run,
    suite: named('suite'),
    nowMs: () => nowMs,
    onPassed: ({ name }) => noted.push(name),
    tasks: Object.keys(script)
      .filter((name) => name !== 'suite' && !name.startsWith('alone'))
      .map(named),
    alone: (files) => named(`alone ${files.join(' ')}`),
    tasksMs: 20 * MINUTE_MS,
    allMs: 35 * MINUTE_MS,
    suiteMs: 55 * MINUTE_MS,
  };
  return { parts, started, noted };
}
const NONE = { passed: 0, failed: [] };

test('tasks run until their time is up, and what is left out is said before the plain line of counts', async () => {
  const { parts, started, noted } = stage({
    suite: { minutes: 10, ends: ['passed'] },
    first: { minutes: 15, ends: ['passed'] },
    second: { minutes: 15, ends: ['passed'] },
    third: { minutes: 1, ends: ['passed'] },
  });
  const { passed, failed, lines } = await longRun(parts);
  expect(started).toEqual(['suite', 'first', 'second']);
  expect([passed, failed]).toEqual([9_001, []]);
  expect(noted).toEqual(['first']);
  const said = lines.join('\n');
  expect(said).toContain('   second: no time was left (stopped after 300 s)\n');
  expect(said).toContain('   third: no time was left\n');
  expect(said.split('\n').at(-1)).toBe('9001 passed, 0 failed');
});

test('a task that fails twice is a failure, and both logs are printed', async () => {
  const { parts, started, noted } = stage({
    suite: { minutes: 1, ends: ['passed'] },
    broken: { minutes: 1, ends: ['failed', 'failed'] },
  });
  const { passed, failed, lines } = await longRun(parts);
  expect(started).toEqual(['suite', 'broken', 'broken']);
  expect([passed, failed, noted]).toEqual([9_000, ['broken'], []]);
  expect(lines.filter((line) => line.includes('what broken printed'))).toHaveLength(2);
});

test('a task that fails once and then passes is printed as such with its log, and counts as passed', async () => {
  const { parts } = stage({
    suite: { minutes: 1, ends: ['passed'] },
    wavering: { minutes: 1, ends: ['failed', 'passed'] },
  });
  const { passed, failed, lines } = await longRun(parts);
  expect([passed, failed]).toEqual([9_001, []]);
  const said = lines.join('\n');
  expect(said).toContain('FAILED ONCE');
  expect(said).toContain('what wavering printed');
});

test('a second run that no time is left for is a failure', async () => {
  const { parts } = stage({
    suite: { minutes: 20, ends: ['passed'] },
    broken: { minutes: 14, ends: ['failed', 'passed'] },
  });
  const { failed, lines } = await longRun(parts);
  expect(failed).toEqual(['broken\n      no time was left for the end of a second run']);
  expect(lines.at(-1)).toBe('\n9000 passed, 1 failed');
});

test('a suite that fails, or that does not end, is a failure', async () => {
  const failing = stage({ suite: { minutes: 1, ends: ['failed'] } });
  expect((await longRun(failing.parts)).failed).toEqual(['one']);
  const hanging = stage({ suite: { minutes: 100, ends: [] }, task: { minutes: 1, ends: [] } });
  const { failed } = await longRun(hanging.parts);
  expect(failed).toEqual(['suite: not ended after 3300 s']);
  expect(hanging.started).toEqual(['suite']);
});

test('a task that cannot run here is left out with its reason, and is neither passed nor failed', async () => {
  const { parts, started, noted } = stage({
    suite: { minutes: 1, ends: ['passed'] },
    absent: { minutes: 1, ends: ['cannot run'] },
    next: { minutes: 1, ends: ['passed'] },
  });
  const { passed, failed, lines } = await longRun(parts);
  expect(started).toEqual(['suite', 'absent', 'next']);
  expect([passed, failed, noted]).toEqual([9_001, [], ['next']]);
  const said = lines.join('\n');
  expect(said.slice(said.indexOf('Left out:'))).toBe(
    'Left out:\n   absent: what absent printed\n\n9001 passed, 0 failed',
  );
});

test('files that fail in the suite run once more alone, and stay failures whatever comes of it', async () => {
  const failures = ['test/a.test.ts: adds', 'test/a.test.ts: subtracts', 'test/b/c.test.ts: waits'];
  const alone = 'alone test/a.test.ts test/b/c.test.ts';
  for (const [end, shown, log] of [
    ['passed', 'FAILED IN THE SUITE, then passed alone', false],
    ['failed', `${alone}: failed after 60 s`, true],
  ] as const) {
    const { parts, started } = stage(
      {
        suite: { minutes: 1, ends: ['failed'] },
        [alone]: { minutes: 1, ends: [end] },
        task: { minutes: 1, ends: ['passed'] },
      },
      failures,
    );
    const { passed, failed, lines } = await longRun(parts);
    expect(started).toEqual(['suite', alone, 'task']);
    expect([passed, failed]).toEqual([9_001, failures]);
    expect(lines.join('\n')).toContain(shown);
    expect(lines.join('\n').includes(`what ${alone} printed`)).toBe(log);
    expect(lines.at(-1)).toBe('\n9001 passed, 3 failed');
  }
});

test('a suite of which many files fail is not run a second time', async () => {
  const failures = [1, 2, 3, 4, 5, 6].map((n) => `test/${n}.test.ts: fails`);
  const { parts, started } = stage({ suite: { minutes: 1, ends: ['failed'] } }, failures);
  expect((await longRun(parts)).failed).toEqual(failures);
  expect(started).toEqual(['suite']);
});

test('.ci/run starts the suite, then twenty minutes of long tasks, and ends after thirty-five in all', () => {
  const script = readFileSync('.ci/run', 'utf8');
  const [, words = ''] = /^npm run -s test:long -- (.*)$/m.exec(script) ?? [];
  expect(script.trimEnd().split('\n').at(-1)).toContain(words);
  expect(words.split(' ').slice(0, 4)).toEqual(['--suite', '--minutes', '20', '--all-minutes']);
  // What setting up took is taken off.
  expect(script).toContain('left=$((35 - SECONDS / 60))');
  expect(words.endsWith('"$((left > 1 ? left : 1))"')).toBe(true);
});

test('a reader of the list of tasks that closes the pipe early causes no error', async () => {
  const child = spawn(process.execPath, ['test/long/run.ts', '--list'], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child.stdout.destroy();
  const ended = once(child, 'close');
  const errors = await text(child.stderr);
  expect([errors, (await ended)[0]]).toEqual(['', 0]);
});
