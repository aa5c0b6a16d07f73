// The programming errors that processes started by tests have logged: test/support/daemon/no-programming-errors.ts fails the
// test in which one is logged, whatever the test is about.
import type { ChildProcess } from 'node:child_process';

/** In JSON, and as it is shown in a terminal. */
const PROGRAMMING_ERROR = /"event":"programming_error"|programming error: /;

/** Of all processes, in the order of their coming. */
const logged: string[] = [];

/** Reads what the process writes along with its other readers; to be called when the first of them is attached. */
export function watchLog({ stdout, stderr }: ChildProcess): void {
  for (const stream of [stdout, stderr]) {
    let rest = '';
    stream?.on('data', (chunk: Buffer | string) => {
      const lines = `${rest}${chunk}`.split('\n');
      rest = lines.pop() ?? '';
      logged.push(...lines.filter((line) => PROGRAMMING_ERROR.test(line)));
    });
  }
}

/** Those logged since the last call. A test that provokes one takes it, and has compared it. */
export const takeProgrammingErrors = (): readonly string[] => logged.splice(0);
