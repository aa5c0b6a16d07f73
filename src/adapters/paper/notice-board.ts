// Tells subscribers what changed: later, in order, never from within a request. What was told while
// nobody listened is gone; a listener asks the venue for it.
import type { Clock, StopTimer } from '../../ports/clock.ts';
import { FanOut, type Listener } from '../../values/fan-out.ts';
import { later } from '../../values/instant.ts';

export interface NoticeBoardOptions {
  /** From pinning to telling; with 0 the clock's next call, which is after the answer. */
  readonly delayMs: number;
  /** Hears what a listener throws. */
  readonly onFault: (error: unknown) => void;
}

export class NoticeBoard<T> {
  readonly #clock: Clock;
  readonly #delayMs: number;
  readonly #listeners: FanOut<T>;
  readonly #timers = new Set<StopTimer>();

  constructor(clock: Clock, { delayMs, onFault }: NoticeBoardOptions) {
    this.#clock = clock;
    this.#delayMs = delayMs;
    this.#listeners = new FanOut(onFault);
  }

  subscribe(listener: Listener<T>): () => void {
    return this.#listeners.add(listener);
  }

  pin(notice: T): void {
    const stop = this.#clock.at(later(this.#clock.now(), this.#delayMs), () => {
      this.#timers.delete(stop);
      this.#listeners.send([notice]);
    });
    this.#timers.add(stop);
  }

  close(): void {
    for (const stop of this.#timers) stop();
    this.#timers.clear();
    this.#listeners.clear();
  }
}
