// Detects that Redis has lost the scheduled wakes. A marker is stored alongside the queue: if it is missing or
// different, everything was wiped; a restarted server may have loaded older contents.
import type { Redis } from 'ioredis';
import type { FaultReport } from './fault-report.ts';

/**
 * `wiped`: every scheduled wake is gone. `restarted`: some may be. `refused`: Redis is back after wakes
 * could not be scheduled.
 */
export type QueueReset = 'wiped' | 'restarted' | 'refused';

export interface ResetWatchOptions {
  readonly key: string;
  readonly everyMs: number;
  readonly onReset: (why: QueueReset) => void;
  readonly report: FaultReport;
}

interface Seen {
  readonly mark: string;
  readonly runId: string;
}

export class ResetWatch {
  readonly #client: Redis;
  readonly #options: ResetWatchOptions;
  readonly #onReady = (): void => void this.#tick();
  #seen: Seen | undefined;
  #refused = false;
  #looking = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(client: Redis, options: ResetWatchOptions) {
    this.#client = client;
    this.#options = options;
  }

  start(): void {
    this.#client.on('ready', this.#onReady);
    this.#timer = setInterval(() => void this.#tick(), this.#options.everyMs);
    this.#timer.unref();
    void this.#tick();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#client.off('ready', this.#onReady);
  }

  /** A wake could not be scheduled. */
  refused(): void {
    this.#refused = true;
  }

  async #tick(): Promise<void> {
    if (this.#looking || this.#client.status !== 'ready') return;
    this.#looking = true;
    try {
      const before = this.#seen;
      this.#seen = await this.#readMark();
      const why = this.#judge(before, this.#seen);
      if (why === undefined) return;
      this.#refused = false;
      this.#options.onReset(why);
    } catch (error) {
      this.#options.report('reset-watch', error);
    } finally {
      this.#looking = false;
    }
  }

  #judge(before: Seen | undefined, now: Seen): QueueReset | undefined {
    if (before !== undefined && before.mark !== now.mark) return 'wiped';
    if (before !== undefined && before.runId !== now.runId) return 'restarted';
    return this.#refused ? 'refused' : undefined;
  }

  async #readMark(): Promise<Seen> {
    const { key } = this.#options;
    let mark = await this.#client.get(key);
    if (mark === null) {
      // The first process sets the marker; the others see that it is not the old one.
      await this.#client.set(key, crypto.randomUUID(), 'NX');
      mark = await this.#client.get(key);
    }
    const server = await this.#client.info('server');
    const runId = /^run_id:(\w+)/m.exec(server)?.[1] ?? '';
    return { mark: mark ?? '', runId };
  }
}
