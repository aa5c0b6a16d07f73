// Supervises a private server that must live as long as the daemon: if it dies (killed for memory,
// crashed), it is restarted at the same address, so that its clients find it again.

import { setTimeout as sleep } from 'node:timers/promises';
import { isProgrammingError } from '../../values/errors/programming-error.ts';
import type { PrivateServer, ServerLog } from './private-server.ts';
import { isAlive } from './server-process.ts';

export interface ServerSupervisorOptions {
  /** Used in log messages. */
  readonly name: string;
  /** Adopts the server that runs in the data folder, or starts one. */
  readonly start: () => Promise<PrivateServer>;
  readonly log: Pick<ServerLog, 'warn'>;
  /** It restarted at another address, where its clients cannot find it. */
  readonly onLost: (error: Error) => void;
}

const LOOK_EVERY_MS = 250;
const RETRY_MS_MAX = 10_000;
/** Together less than the time the process has left to stop its servers. */
const START_ENDS_MS = 500;
const STOP_MS = 1_800;

export class ServerSupervisor {
  readonly address: string;
  readonly #parts: ServerSupervisorOptions;
  #server: PrivateServer;
  readonly #watching: Promise<void>;
  readonly #leaving = new AbortController();

  static async open(parts: ServerSupervisorOptions): Promise<ServerSupervisor> {
    return new ServerSupervisor(parts, await parts.start());
  }

  private constructor(parts: ServerSupervisorOptions, server: PrivateServer) {
    this.#parts = parts;
    this.#server = server;
    this.address = server.address;
    this.#watching = this.#watch();
  }

  async stop(): Promise<void> {
    this.#leaving.abort();
    // It may be in the middle of a start that never ends.
    await Promise.race([this.#watching, sleep(START_ENDS_MS, undefined, { ref: false })]);
    await this.#server.stop(STOP_MS);
  }

  async #watch(): Promise<void> {
    while (await this.#rest(LOOK_EVERY_MS)) {
      if (!isAlive(this.#server.pid)) await this.#startAgain();
    }
  }

  async #startAgain(): Promise<void> {
    const { name, log, start, onLost } = this.#parts;
    log.warn(`${name} (process ${this.#server.pid}) has ended; restarting it`);
    for (let restMs = LOOK_EVERY_MS; ; restMs = Math.min(2 * restMs, RETRY_MS_MAX)) {
      try {
        this.#server = await start();
        if (this.#server.address === this.address) return;
        return onLost(new Error(`${name} restarted at another address`));
      } catch (error) {
        if (isProgrammingError(error)) return onLost(error as Error);
        log.warn(`${name} does not start: ${error instanceof Error ? error.message : error}`);
      }
      if (!(await this.#rest(restMs))) return;
    }
  }

  /** Returns false if the daemon is stopping. */
  async #rest(ms: number): Promise<boolean> {
    const { signal } = this.#leaving;
    if (signal.aborted) return false;
    // Unexamined: it rejects only when the signal is given, which the next line looks at.
    await sleep(ms, undefined, { signal, ref: false }).catch(() => undefined);
    return !signal.aborted;
  }
}
