// Counts shared by the processes of one world; each process has its own handle.
import { type Counts, type PeerCounts, positiveCounts } from '../../../src/ports/peer-counts.ts';
import { FanOut } from '../../../src/values/fan-out.ts';

export class MemoryCountsRoom {
  readonly #ends = new Set<FanOut<Counts>>();
  readonly #onFault: (error: unknown) => void;

  /** Exceptions of a listener go to `onFault`. */
  constructor(onFault: (error: unknown) => void) {
    this.#onFault = onFault;
  }

  /** Returns the handle of one more process. */
  enter(): PeerCounts {
    const own = new FanOut<Counts>(this.#onFault);
    this.#ends.add(own);
    return {
      publish: (counts) => {
        if (!this.#ends.has(own)) return;
        for (const end of this.#ends) if (end !== own) end.send([positiveCounts(counts)]);
      },
      listen: (listener) => own.add(listener),
      close: () => {
        this.#ends.delete(own);
        own.clear();
        return Promise.resolve();
      },
    };
  }
}
