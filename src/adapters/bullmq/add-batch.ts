// Adds wakes in batches. What is far ahead waits a moment for others, so that wakes due together share a
// job; what is asked for while one batch travels goes with the next, so that the rate is bound by Redis
// and not by the round trip. One failed batch fails all that waits behind it.
import type { Wake } from '../../ports/job-queue.ts';
import type { QueuedJob } from './wake-job.ts';

interface Waiting {
  readonly wake: Wake;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

export interface AddBatchOptions {
  readonly jobsOf: (wakes: readonly Wake[]) => readonly QueuedJob[];
  readonly addBulk: (jobs: readonly QueuedJob[]) => Promise<void>;
}

/** How long a wake waits for others to travel with. */
export const LINGER_MS = 50;

const BATCH_MAX = 500;
const WAITING_MAX = 50_000;

export class AddBatch {
  readonly #options: AddBatchOptions;
  #waiting: Waiting[] = [];
  #linger: NodeJS.Timeout | undefined;
  #sending: Promise<void> | undefined;

  constructor(options: AddBatchOptions) {
    this.#options = options;
  }

  /** Resolves when the wake is with Redis. `isNear`: there is no time to wait for others. */
  add(wake: Wake, isNear: boolean): Promise<void> {
    if (this.#waiting.length >= WAITING_MAX) {
      return Promise.reject(new Error(`${WAITING_MAX} wakes already wait to be added`));
    }
    return new Promise((resolve, reject) => {
      this.#waiting.push({ wake, resolve, reject });
      if (isNear) void this.flush();
      else this.#linger ??= setTimeout(() => void this.flush(), LINGER_MS);
    });
  }

  /** Sends what waits; resolves when nothing does any more. */
  flush(): Promise<void> {
    clearTimeout(this.#linger);
    this.#linger = undefined;
    this.#sending ??= this.#send().finally(() => {
      this.#sending = undefined;
    });
    return this.#sending;
  }

  async #send(): Promise<void> {
    // A moment later, so that all that is asked for in one go travels together.
    await Promise.resolve();
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, BATCH_MAX);
      try {
        await this.#options.addBulk(this.#options.jobsOf(distinct(batch)));
        for (const each of batch) each.resolve();
      } catch (error) {
        for (const each of [...batch, ...this.#waiting.splice(0)]) each.reject(error);
      }
    }
  }
}

const distinct = (batch: readonly Waiting[]): readonly Wake[] => [
  ...new Map(batch.map(({ wake }) => [`${wake.portfolio} ${wake.dueAt}`, wake])).values(),
];
