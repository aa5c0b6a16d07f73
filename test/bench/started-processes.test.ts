// Benches, samples of mutants and long runs start processes; none may outlive the run.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import process from 'node:process';
import { expect, test } from 'vitest';

const RUN = resolve('test/fixtures/run-with-children.ts');

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
    throw error;
  }
}

test.each([
  ['SIGTERM', 143, '200'],
  ['SIGINT', 130, '0'],
] as const)(
  'a run that %s ends leaves none of its processes behind and exits with %i',
  async (signal, code, graceMs) => {
    const run = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', RUN, graceMs], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let written = '';
    run.stdout.setEncoding('utf8').on('data', (text: string) => {
      written += text;
    });
    const pids = () => written.trim().split(' ').map(Number);
    await expect.poll(() => pids().length).toBe(2);
    expect(pids().map(isAlive)).toEqual([true, true]);
    const exit = once(run, 'exit');
    run.kill(signal);
    expect(await exit).toEqual([code, null]);
    await expect.poll(() => pids().map(isAlive)).toEqual([false, false]);
  },
);
