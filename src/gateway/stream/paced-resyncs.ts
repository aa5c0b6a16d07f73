// Paces resync items, which make a client read everything again: the first is passed on at once, later ones
// with increasing pauses, and those within one pause as one. However often a gateway sends them, the client
// does not request too much.
import { Backoff } from '../../values/backoff.ts';
import type { Rng } from '../../values/rng.ts';

export interface PacedResyncsOptions<T> {
  readonly deliver: (item: T) => void;
  readonly rng: Rng;
  /** Monotonic milliseconds. */
  readonly nowMs: () => number;
  /** Calls once after `delayMs`; the returned function cancels it. */
  readonly after: (delayMs: number, call: () => void) => () => void;
}

/** After a minute without one, the next is again passed on at once. */
const PAUSES = { minMs: 1_000, maxMs: 30_000, heldMs: 60_000 };

export class PacedResyncs<T> {
  readonly #parts: PacedResyncsOptions<T>;
  readonly #pauses: Backoff;
  /** The latest item not yet passed on. */
  #kept: { readonly item: T } | undefined;
  #endPause: (() => void) | undefined;
  #deliveredAtMs: number | undefined;

  constructor(parts: PacedResyncsOptions<T>) {
    this.#parts = parts;
    this.#pauses = new Backoff(PAUSES, parts.rng);
  }

  heard(item: T): void {
    if (this.#endPause === undefined) this.#deliver(item);
    else this.#kept = { item };
  }

  /** Drops the pending item: the connection has ended. */
  stop(): void {
    this.#endPause?.();
    this.#kept = undefined;
  }

  #deliver(item: T): void {
    const { nowMs, after, deliver } = this.#parts;
    const now = nowMs();
    if (this.#deliveredAtMs !== undefined) this.#pauses.held(now - this.#deliveredAtMs);
    this.#deliveredAtMs = now;
    this.#kept = undefined;
    this.#endPause = after(this.#pauses.nextMs(), () => {
      this.#endPause = undefined;
      if (this.#kept !== undefined) this.#deliver(this.#kept.item);
    });
    deliver(item);
  }
}
