// A server of the data folder that has to be there as long as the daemon is: one that dies (killed for its
// memory, crashed) is started again where it was, so that whoever is connected to it finds it again.
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';

export interface StartedServer {
  readonly pid: number;
  /** How it is reached. */
  readonly address: string;
  /** Killed when it has not ended by itself by then. */
  stop(withinMs?: number): Promise<void>;
}

export interface KeptServerParts {
  /** For the log. */
  readonly name: string;
  /** Takes over what runs in the data folder, or starts it. */
  readonly start: () => Promise<StartedServer>;
  readonly log: { warn(message: string): void };
  /** It came back elsewhere: nobody can find it there. */
  readonly onLost: (error: Error) => void;
}

const LOOK_EVERY_MS = 250;
const RETRY_MS_MAX = 10_000;
/** Together less than the process has left to stop its servers. */
const START_ENDS_MS = 500;
const STOP_MS = 1_800;

export class KeptServer {
  readonly address: string;
  readonly #parts: KeptServerParts;
  #server: StartedServer;
  readonly #watching: Promise<void>;
  readonly #leaving = new AbortController();

  static async open(parts: KeptServerParts): Promise<KeptServer> {
    return new KeptServer(parts, await parts.start());
  }

  private constructor(parts: KeptServerParts, server: StartedServer) {
    this.#parts = parts;
    this.#server = server;
    this.address = server.address;
    this.#watching = this.#watch();
  }

  async stop(): Promise<void> {
    this.#leaving.abort();
    // It may be in the middle of a start that does not end.
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
    log.warn(`${name} (process ${this.#server.pid}) has ended; starting it again`);
    for (let restMs = LOOK_EVERY_MS; ; restMs = Math.min(2 * restMs, RETRY_MS_MAX)) {
      try {
        this.#server = await start();
        if (this.#server.address === this.address) return;
        return onLost(new Error(`${name} came back at another address`));
      } catch (error) {
        log.warn(`${name} does not start: ${error instanceof Error ? error.message : error}`);
      }
      if (!(await this.#rest(restMs))) return;
    }
  }

  /** False when it is time to leave. */
  async #rest(ms: number): Promise<boolean> {
    const { signal } = this.#leaving;
    if (signal.aborted) return false;
    await sleep(ms, undefined, { signal, ref: false }).catch(() => undefined);
    return !signal.aborted;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // It lives and belongs to another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
