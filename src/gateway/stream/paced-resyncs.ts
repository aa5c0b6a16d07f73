// Passes on what tells a reader to read everything anew: the first at once, the next ones with growing pauses and
// those of one pause as one. However often a gateway says it, whoever reads then does not ask for too much.
import { Backoff } from '../../values/backoff.ts';
import type { Rng } from '../../values/rng.ts';

export interface PacedResyncsParts<T> {
  readonly deliver: (item: T) => void;
  readonly rng: Rng;
  /** Monotonic milliseconds. */
  readonly nowMs: () => number;
  /** Calls once after `delayMs`; what it returns stops it. */
  readonly after: (delayMs: number, call: () => void) => () => void;
}

/** After a minute without one the next is passed on at once again. */
const PAUSES = { minMs: 1_000, maxMs: 30_000, heldMs: 60_000 };

export class PacedResyncs<T> {
  readonly #parts: PacedResyncsParts<T>;
  readonly #pauses: Backoff;
  /** The latest that was not passed on yet. */
  #kept: { readonly item: T } | undefined;
  #endPause: (() => void) | undefined;
  #deliveredAtMs: number | undefined;

  constructor(parts: PacedResyncsParts<T>) {
    this.#parts = parts;
    this.#pauses = new Backoff(PAUSES, parts.rng);
  }

  heard(item: T): void {
    if (this.#endPause === undefined) this.#deliver(item);
    else this.#kept = { item };
  }

  /** What is kept is dropped: the connection has ended. */
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
