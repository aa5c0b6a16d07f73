// Notifies subscribers of changes: later, in order, never from within a request. Notices without a subscriber
// are lost; a new subscriber queries the venue for the current state.
import type { Clock, StopTimer } from '../../ports/clock.ts';
import { FanOut, type Listener } from '../../values/fan-out.ts';
import type { Instant } from '../../values/instant.ts';

export interface NoticeBoardOptions {
  /** Receives errors that listeners throw. */
  readonly onFault: (error: unknown) => void;
}

/** Notices pinned at one instant for another. */
interface Pinned<T> {
  readonly pinnedAt: Instant;
  readonly at: Instant;
  readonly notices: T[];
}

export class NoticeBoard<T> {
  readonly #clock: Clock;
  readonly #listeners: FanOut<T>;
  /** Timers of undelivered notices, oldest first unless the clock stepped back; there are few at any time. */
  readonly #timers: StopTimer[] = [];
  #latest: Pinned<T> | undefined;

  constructor(clock: Clock, { onFault }: NoticeBoardOptions) {
    this.#clock = clock;
    this.#listeners = new FanOut(onFault);
  }

  subscribe(listener: Listener<T>): () => void {
    return this.#listeners.add(listener);
  }

  /** `at`: when it is delivered; if that is now it is the clock's next call, which is after the answer. */
  pin(notice: T, at: Instant): void {
    const pinnedAt = this.#clock.now();
    if (this.#latest?.pinnedAt === pinnedAt && this.#latest.at === at) {
      this.#latest.notices.push(notice);
      return;
    }
    const pinned: Pinned<T> = { pinnedAt, at, notices: [notice] };
    this.#latest = pinned;
    const stop = this.#clock.at(at, () => {
      if (this.#latest === pinned) this.#latest = undefined;
      this.#timers.splice(this.#timers.indexOf(stop), 1);
      this.#listeners.send(pinned.notices);
    });
    this.#timers.push(stop);
  }

  close(): void {
    for (const stop of this.#timers) stop();
    this.#timers.length = 0;
    this.#latest = undefined;
    this.#listeners.clear();
  }
}
