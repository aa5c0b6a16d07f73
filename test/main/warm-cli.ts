// Runs the command line in a process that stays alive between commands, for tests that run many of them: loading the
// program takes most of the time of a short command. The files that a worker runs share it. `twapd` in
// test/main/cli-world.ts runs a command as a process of its own and so covers start, output and exit.
import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import { type CliOptions, processOptions, type Ran, ROOT } from './cli-world.ts';
import type { Reply, Request } from './warm-cli-process.ts';

interface Waiting {
  readonly onOut: ((out: string) => void) | undefined;
  readonly done: (ran: Ran) => void;
  readonly failed: (error: Error) => void;
}

class WarmCli {
  readonly #waiting = new Map<number, Waiting>();
  #child: ChildProcess | undefined;
  #requests = 0;

  /** Queues a command; its exit code and output equal those of a process of its own. */
  run(words: readonly string[], { env = {}, onOut }: CliOptions = {}): Promise<Ran> {
    this.#child ??= this.#start();
    const child = this.#child;
    this.#requests += 1;
    const request: Request = { id: this.#requests, words, env };
    return new Promise((done, failed) => {
      this.#waiting.set(request.id, { onOut, done, failed });
      child.send(request);
    });
  }

  /** It ends with this worker, whose end it does not delay. */
  #start(): ChildProcess {
    const { execArgv, env } = processOptions();
    const child = fork(join(ROOT, 'test/main/warm-cli-process.ts'), { cwd: ROOT, execArgv, env });
    child.on('message', (reply: Reply) => this.#receive(reply));
    child.once('exit', (code, signal) => {
      this.#child = undefined;
      for (const { failed } of this.#waiting.values()) {
        failed(new Error(`the process of the command line ended with ${code ?? signal}`));
      }
      this.#waiting.clear();
    });
    child.unref();
    child.channel?.unref();
    return child;
  }

  #receive(reply: Reply): void {
    const waiting = this.#waiting.get(reply.id);
    if ('printed' in reply) {
      waiting?.onOut?.(reply.printed);
      return;
    }
    this.#waiting.delete(reply.id);
    const { code, out, err } = reply;
    waiting?.done({ code, out, err });
  }
}

export const warmCli = new WarmCli();
