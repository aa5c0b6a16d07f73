// Adds wakes in batches. A wake far in the future waits a moment for others, so that wakes due together share
// a job; wakes that arrive while one batch is in flight go with the next, so that the rate is bound by Redis
// and not by the round trip. A failed batch fails every wake waiting behind it.
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

/** How long a wake waits for others to share its batch. */
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

  /** Resolves once the wake is stored in Redis. `isNear`: it is due too soon to wait for others. */
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

  /** Sends the pending wakes; resolves once none is left. */
  flush(): Promise<void> {
    clearTimeout(this.#linger);
    this.#linger = undefined;
    this.#sending ??= this.#send().finally(() => {
      this.#sending = undefined;
    });
    return this.#sending;
  }

  async #send(): Promise<void> {
    // Yields first, so that wakes of the same event-loop turn share a batch.
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
