// Adds jobs in batches: what is asked for while one batch travels goes with the next, so that the rate
// is bound by Redis and not by the round trip. One failed batch fails all that waits behind it.
import type { QueuedJob } from './wake-job.ts';

interface Waiting {
  readonly job: QueuedJob;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

const BATCH_MAX = 500;
const WAITING_MAX = 50_000;

export class AddBatch {
  readonly #addBulk: (jobs: readonly QueuedJob[]) => Promise<void>;
  #waiting: Waiting[] = [];
  #sending = false;

  constructor(addBulk: (jobs: readonly QueuedJob[]) => Promise<void>) {
    this.#addBulk = addBulk;
  }

  add(job: QueuedJob): Promise<void> {
    if (this.#waiting.length >= WAITING_MAX) {
      return Promise.reject(new Error(`${WAITING_MAX} jobs already wait to be added`));
    }
    return new Promise((resolve, reject) => {
      this.#waiting.push({ job, resolve, reject });
      if (this.#sending) return;
      this.#sending = true;
      // A moment later, so that all that is asked for in one go travels together.
      queueMicrotask(() => void this.#send());
    });
  }

  async #send(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.slice(0, BATCH_MAX);
      this.#waiting = this.#waiting.slice(BATCH_MAX);
      try {
        await this.#addBulk(batch.map((each) => each.job));
        for (const each of batch) each.resolve();
      } catch (error) {
        const refused = [...batch, ...this.#waiting];
        this.#waiting = [];
        for (const each of refused) each.reject(error);
      }
    }
    this.#sending = false;
  }
}
