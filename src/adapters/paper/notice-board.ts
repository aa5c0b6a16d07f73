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
  /** Of what is pinned and not told, the oldest first but where the clock went back: few at any time. */
  readonly #timers: StopTimer[] = [];

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
      this.#timers.splice(this.#timers.indexOf(stop), 1);
      this.#listeners.send([notice]);
    });
    this.#timers.push(stop);
  }

  close(): void {
    for (const stop of this.#timers) stop();
    this.#timers.length = 0;
    this.#listeners.clear();
  }
}
