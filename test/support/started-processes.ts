// Ends the child processes of a run together with it, also if a signal ends the run: a signal reaches only the process
// that it is sent to.
import type { ChildProcess } from 'node:child_process';
import { subscribe } from 'node:diagnostics_channel';
import { constants } from 'node:os';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';

const END_SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/** Knows the child processes started from its construction on. */
export class StartedProcesses {
  readonly #running = new Set<ChildProcess>();

  constructor() {
    subscribe('child_process', (message) => {
      const { process: child } = message as { readonly process: ChildProcess };
      this.#running.add(child);
      for (const ending of ['exit', 'error']) child.once(ending, () => this.#running.delete(child));
    });
  }

  /** Ends them, with the groups they lead: by request, and after `graceMs` by force. */
  async end(graceMs: number): Promise<void> {
    const running = [...this.#running];
    const ended = Promise.all(
      running.map((child) => new Promise<void>((done) => child.once('exit', () => done()))),
    );
    if (graceMs > 0) {
      for (const child of running) signal(child, 'SIGTERM');
      await Promise.race([ended, sleep(graceMs)]);
    }
    // A leader that has ended may have left its group behind.
    for (const child of running) signal(child, 'SIGKILL');
    await ended;
  }
}

/** To the group that the process leads, otherwise to the process alone; nothing if both have ended. */
function signal(child: ChildProcess, name: 'SIGTERM' | 'SIGKILL'): void {
  const { pid } = child;
  if (pid === undefined) return;
  try {
    process.kill(-pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    child.kill(name);
  }
}

/** Calls `end` with the exit code for the first signal that asks this process to end. */
export function onEndSignal(end: (exitCode: number) => void): void {
  let isEnding = false;
  for (const name of END_SIGNALS) {
    process.on(name, () => {
      if (isEnding) return;
      isEnding = true;
      end(128 + constants.signals[name]);
    });
  }
}
