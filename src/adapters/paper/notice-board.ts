// Notifies subscribers of changes: later, in order, never from within a request. Notices without a subscriber
// are lost; a new subscriber queries the venue for the current state.
import type { Clock, StopTimer } from '../../ports/clock.ts';
import { FanOut, type Listener } from '../../values/fan-out.ts';
import { later } from '../../values/instant.ts';

export interface NoticeBoardOptions {
  /** Delay before delivery; with 0 it is the clock's next call, which is after the answer. */
  readonly delayMs: number;
  /** Receives errors that listeners throw. */
  readonly onFault: (error: unknown) => void;
}

export class NoticeBoard<T> {
  readonly #clock: Clock;
  readonly #delayMs: number;
  readonly #listeners: FanOut<T>;
  /** Timers of undelivered notices, oldest first unless the clock stepped back; there are few at any time. */
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
