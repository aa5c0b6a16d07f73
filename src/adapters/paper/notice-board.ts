// Tells subscribers what changed: later, in order, never from within a request. What was told while
// nobody listened is gone; a listener asks the venue for it.
import type { Clock, StopTimer } from '../../ports/clock.ts';
import type { VenueNotice } from '../../ports/venue.ts';
import { later } from '../../values/instant.ts';

export type NoticeListener = (notice: VenueNotice) => void;

export class NoticeBoard {
  readonly #clock: Clock;
  readonly #delayMs: number;
  readonly #listeners = new Set<NoticeListener>();
  readonly #timers = new Set<StopTimer>();

  /** Notices are told `delayMs` after they were pinned, at the earliest on the clock's next call. */
  constructor(clock: Clock, delayMs: number) {
    this.#clock = clock;
    this.#delayMs = delayMs;
  }

  subscribe(listener: NoticeListener): () => void {
    // Its own entry, so that subscribing twice with one function is two subscriptions.
    const own: NoticeListener = (notice) => listener(notice);
    this.#listeners.add(own);
    return () => {
      this.#listeners.delete(own);
    };
  }

  pin(notices: readonly VenueNotice[]): void {
    if (notices.length === 0 || this.#listeners.size === 0) return;
    const stop = this.#clock.at(later(this.#clock.now(), this.#delayMs), () => {
      this.#timers.delete(stop);
      for (const notice of notices) for (const listener of [...this.#listeners]) listener(notice);
    });
    this.#timers.add(stop);
  }

  close(): void {
    for (const stop of this.#timers) stop();
    this.#timers.clear();
    this.#listeners.clear();
  }
}
