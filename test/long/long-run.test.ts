// What a run of long tasks does with its time, and what it says at its end, with tasks that only say how they end.
import { expect, test } from 'vitest';
import { type LongRun, longRun } from './long-run.ts';
import type { TaskRun } from './task-run.ts';
import type { Task } from './tasks.ts';

const MINUTE_MS = 60_000;
type End = TaskRun['end'];

/** Each task takes the minutes that stand for it and ends as it says, once for each of its ends; its time cuts it off. */
function stage(script: Readonly<Record<string, { minutes: number; ends: End[] }>>) {
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
      name === 'suite' ? { passed: 9_000, failed: end === 'failed' ? ['one'] : [] } : NONE;
    return await Promise.resolve({ end, seconds, counts, log: `what ${name} printed` });
  };
  const parts: LongRun = {
    run,
    suite: named('suite'),
    nowMs: () => nowMs,
    onPassed: ({ name }) => noted.push(name),
    tasks: Object.keys(script)
      .filter((name) => name !== 'suite')
      .map(named),
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
  const text = lines.join('\n');
  expect(text).toContain('second (stopped after 300 s)');
  expect(text).toContain('   third\n');
  expect(text.split('\n').at(-1)).toBe('9001 passed, 0 failed');
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
  const text = lines.join('\n');
  expect(text).toContain('FAILED ONCE');
  expect(text).toContain('what wavering printed');
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
