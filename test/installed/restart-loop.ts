// The smallest supervisor there is: starts a program again whenever it ends, until told to stop. It knows the process that it
// started, and nothing of what that one started in turn.
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const PAUSE_MS = 1_000;

export class RestartLoop {
  readonly #start: () => ChildProcess;
  readonly #log: WriteStream;
  #child: ChildProcess | undefined;
  #isStopping = false;
  #ended: Promise<number | null>;
  starts = 0;

  constructor(start: () => ChildProcess, logPath: string) {
    this.#start = start;
    this.#log = createWriteStream(logPath, { flags: 'a' });
    this.#ended = this.#loop();
  }

  /** Of the process that it started; undefined between two. */
  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** Asks the program to end, starts it no more, and resolves with its exit code. */
  async stop(): Promise<number | null> {
    this.#isStopping = true;
    this.#child?.kill('SIGTERM');
    return await this.#ended;
  }

  async #loop(): Promise<number | null> {
    for (;;) {
      const child = this.#start();
      this.#child = child;
      this.starts += 1;
      child.stdout?.pipe(this.#log, { end: false });
      child.stderr?.pipe(this.#log, { end: false });
      const [code] = (await once(child, 'exit')) as [number | null];
      this.#child = undefined;
      if (this.#isStopping) return code;
      await sleep(PAUSE_MS);
      if (this.#isStopping) return code;
    }
  }
}
