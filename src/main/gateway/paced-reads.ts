// Market reads that many clients make at once, shared: a read begins after each request that it answers, so it is as current
// as one of its own, but a market is read no more often than every few milliseconds, however many clients follow it.
import type { EngineApi } from '../../engine/interface/engine-api.ts';
import { Semaphore } from '../../lifetime/semaphore.ts';

export interface PacedReadsOptions {
  readonly market: EngineApi['market'];
  /** Whether the read is made for a key. Reads of other clients have a budget of their own, so the two share none. */
  readonly isForKey: () => boolean;
  /** Monotonic milliseconds. */
  readonly nowMs: () => number;
  /** Calls `then` once after the delay. */
  readonly wait: (delayMs: number, then: () => void) => void;
}

/** Between two reads of one market. */
const GAP_MS = 5;
/** Markets whose latest read is remembered. */
const REMEMBERED_MAX = 4_000;
/** Histories are the dearest reads: an engine computes those of a paper market. */
const HISTORIES_AT_ONCE = 1;

interface Shared {
  /** Not begun yet: further requests share it. */
  next: Promise<unknown> | undefined;
  begunMs: number;
}

export function pacedReads(options: PacedReadsOptions): EngineApi['market'] {
  const { market } = options;
  const reads = new PacedReads(options);
  const histories = new Semaphore(HISTORIES_AT_ONCE);
  return {
    ...market,
    ticker: (venue, name) =>
      reads.read(`ticker ${venue} ${name}`, () => market.ticker(venue, name)),
    book: (venue, name, depth) =>
      reads.read(`book ${venue} ${name} ${depth}`, () => market.book(venue, name, depth)),
    index: (venue, name) => reads.read(`index ${venue} ${name}`, () => market.index(venue, name)),
    history: (venue, kind, query) => histories.run(() => market.history(venue, kind, query)),
  };
}

class PacedReads {
  readonly #options: PacedReadsOptions;
  readonly #shared = new Map<string, Shared>();

  constructor(options: PacedReadsOptions) {
    this.#options = options;
  }

  read<T>(key: string, begin: () => Promise<T>): Promise<T> {
    const shared = this.#of(this.#options.isForKey() ? `key ${key}` : key);
    shared.next ??= this.#later(shared, begin);
    return shared.next as Promise<T>;
  }

  #of(key: string): Shared {
    const known = this.#shared.get(key);
    const shared = known ?? { next: undefined, begunMs: Number.NEGATIVE_INFINITY };
    this.#shared.delete(key);
    this.#shared.set(key, shared);
    if (this.#shared.size > REMEMBERED_MAX) {
      const [oldest] = this.#shared.keys();
      if (oldest !== undefined) this.#shared.delete(oldest);
    }
    return shared;
  }

  #later<T>(shared: Shared, begin: () => Promise<T>): Promise<T> {
    const { nowMs, wait } = this.#options;
    const delayMs = shared.begunMs + GAP_MS - nowMs();
    const started = (): Promise<T> => {
      shared.next = undefined;
      shared.begunMs = nowMs();
      return begin();
    };
    if (delayMs <= 0) {
      // In the same turn further requests still share it.
      return Promise.resolve().then(started);
    }
    return new Promise<void>((resolve) => wait(delayMs, resolve)).then(started);
  }
}
