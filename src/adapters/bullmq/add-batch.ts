// Adds wakes in batches. A wake waits for others as long as its instant allows, within a bound, so that wakes due
// together share a job; wakes whose time is up while one batch is in flight go with the next, so that the rate is bound
// by Redis and not by the round trip. A failed batch fails every wake waiting behind it.
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

/** How long a wake waits at most for others to share its batch. */
const LINGER_MS = 1_000;

const BATCH_MAX = 1_000;
const WAITING_MAX = 50_000;

export class AddBatch {
  readonly #options: AddBatchOptions;
  #waiting: Waiting[] = [];
  /** How many of those waiting are to be sent now; the others wait for more. */
  #due = 0;
  #linger: { readonly timer: NodeJS.Timeout; readonly endsMs: number } | undefined;
  #sending: Promise<void> | undefined;

  constructor(options: AddBatchOptions) {
    this.#options = options;
  }

  /** Resolves once the wake is stored in Redis. It may wait for others for `spareMs`, not at all if that is not positive. */
  add(wake: Wake, spareMs: number): Promise<void> {
    if (this.#waiting.length >= WAITING_MAX) {
      return Promise.reject(new Error(`${WAITING_MAX} wakes already wait to be added`));
    }
    return new Promise((resolve, reject) => {
      this.#waiting.push({ wake, resolve, reject });
      if (spareMs <= 0) void this.flush();
      else this.#flushWithin(Math.min(spareMs, LINGER_MS));
    });
  }

  /** Sends the wakes that are waiting; resolves once they are sent. */
  flush(): Promise<void> {
    this.#due = this.#waiting.length;
    clearTimeout(this.#linger?.timer);
    this.#linger = undefined;
    this.#sending ??= this.#send();
    return this.#sending;
  }

  #flushWithin(ms: number): void {
    const endsMs = performance.now() + ms;
    if (this.#linger !== undefined && this.#linger.endsMs <= endsMs) return;
    clearTimeout(this.#linger?.timer);
    this.#linger = { timer: setTimeout(() => void this.flush(), ms), endsMs };
  }

  async #send(): Promise<void> {
    // Yields first, so that wakes of the same event-loop turn share a batch.
    await Promise.resolve();
    while (this.#due > 0) await this.#sendBatch();
    // Before anything else runs: what is added by those who waited for this begins again.
    this.#sending = undefined;
  }

  async #sendBatch(): Promise<void> {
    const batch = this.#waiting.splice(0, Math.min(this.#due, BATCH_MAX));
    this.#due -= batch.length;
    try {
      await this.#options.addBulk(this.#options.jobsOf(distinct(batch)));
      for (const each of batch) each.resolve();
    } catch (error) {
      this.#due = 0;
      for (const each of [...batch, ...this.#waiting.splice(0)]) each.reject(error);
    }
  }
}

const distinct = (batch: readonly Waiting[]): readonly Wake[] => [
  ...new Map(batch.map(({ wake }) => [`${wake.portfolio} ${wake.dueAt}`, wake])).values(),
];
