// Counts shared by the processes of one world; each process has its own handle.
import type { Counts, PeerCounts } from '../../ports/peer-counts.ts';

type Listener = (counts: Counts) => void;

export class MemoryCountsRoom {
  readonly #ends = new Set<Set<Listener>>();

  /** Returns the handle of one more process. */
  enter(): PeerCounts {
    const own = new Set<Listener>();
    this.#ends.add(own);
    return {
      publish: (counts) => {
        for (const end of this.#ends) {
          if (end !== own) for (const listener of end) listener(counts);
        }
      },
      listen: (listener) => {
        own.add(listener);
        return () => own.delete(listener);
      },
      close: () => {
        this.#ends.delete(own);
        return Promise.resolve();
      },
    };
  }
}
