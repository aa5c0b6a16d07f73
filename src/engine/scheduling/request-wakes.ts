// Requests wake-ups from the queue, the nearest first and a limited number at a time, so that requesting all of
// them again overloads neither the queue nor this process. If the queue refuses one, all pending ones count as
// refused too, and refusals are reported together: an unavailable queue causes an occasional error, however many
// wake-ups there are.
import type { Clock, StopTimer } from '../../ports/clock.ts';
import type { JobQueue, Wake } from '../../ports/job-queue.ts';
import type { Observer } from '../../ports/observer.ts';
import { later } from '../../values/instant.ts';
import { TimerHeap } from '../../values/timer-heap.ts';

export interface WakeRequestsOptions {
  readonly clock: Clock;
  readonly queue: JobQueue;
  readonly observer: Observer;
  /** False if the portfolio waits for another instant by now. */
  readonly isWanted: (wake: Wake) => boolean;
  readonly onScheduled: (wake: Wake) => void;
  /** Called when the queue will not deliver the wake-up. */
  readonly onRefused: (wake: Wake) => void;
}

/** The maximum number of requests in flight: several batches of the adapter, far fewer than it accepts. */
export const IN_FLIGHT_MAX = 5_000;
/** The limit after a refusal; it grows again as the queue accepts requests. */
const IN_FLIGHT_MIN = 500;
/** Refusals within this time are reported as one error. */
const GATHER_MS = 500;

export class WakeRequests {
  readonly #parts: WakeRequestsOptions;
  #waiting = new TimerHeap();
  /** While set, requests taken from the heap are refused with this error instead of sent. */
  #refusal: { readonly error: unknown } | undefined;
  #inFlight = 0;
  #inFlightMax = IN_FLIGHT_MAX;
  #refused: { readonly first: unknown; readonly wake: Wake; count: number } | undefined;
  #stopReport: StopTimer = () => undefined;

  constructor(parts: WakeRequestsOptions) {
    this.#parts = parts;
  }

  ask(wake: Wake): void {
    if (this.#inFlight < this.#inFlightMax && this.#waiting.size === 0) this.#send(wake);
    else this.#waiting.add(wake.dueAt, () => this.#took(wake));
  }

  /** Requests all of them in one call, the nearest first. */
  askAll(wakes: readonly Wake[]): void {
    for (const wake of wakes) this.#waiting.add(wake.dueAt, () => this.#took(wake));
    this.#pump();
  }

  /** Drops requests that were not sent yet and reports refusals. */
  stop(): void {
    this.#waiting = new TimerHeap();
    if (this.#refused !== undefined) this.#report();
  }

  #pump(): void {
    while (this.#inFlight < this.#inFlightMax) {
      const next = this.#waiting.takeDue(Number.POSITIVE_INFINITY);
      if (next === undefined) return;
      next.then();
    }
  }

  #took(wake: Wake): void {
    if (!this.#parts.isWanted(wake)) return;
    if (this.#refusal === undefined) this.#send(wake);
    else this.#refuse(wake, this.#refusal.error);
  }

  #send(wake: Wake): void {
    const { queue, onScheduled } = this.#parts;
    this.#inFlight += 1;
    queue.schedule(wake).then(
      () => {
        this.#inFlight -= 1;
        this.#inFlightMax = Math.min(this.#inFlightMax + 1, IN_FLIGHT_MAX);
        onScheduled(wake);
        this.#pump();
      },
      (error: unknown) => {
        this.#inFlight -= 1;
        this.#inFlightMax = IN_FLIGHT_MIN;
        this.#refuse(wake, error);
        this.#refuseWaiting(error);
      },
    );
  }

  #refuseWaiting(error: unknown): void {
    this.#refusal = { error };
    let next = this.#waiting.takeDue(Number.POSITIVE_INFINITY);
    while (next !== undefined) {
      next.then();
      next = this.#waiting.takeDue(Number.POSITIVE_INFINITY);
    }
    this.#refusal = undefined;
  }

  #refuse(wake: Wake, error: unknown): void {
    const { clock, onRefused } = this.#parts;
    onRefused(wake);
    if (this.#refused !== undefined) {
      this.#refused.count += 1;
      return;
    }
    this.#refused = { first: error, wake, count: 1 };
    this.#stopReport = clock.at(later(clock.now(), GATHER_MS), () => this.#report());
  }

  #report(): void {
    this.#stopReport();
    const refused = this.#refused;
    this.#refused = undefined;
    if (refused === undefined) return;
    const { count, first, wake } = refused;
    const { observer } = this.#parts;
    const where = 'queue.schedule';
    if (count === 1) return observer.failed({ where, error: first, portfolio: wake.portfolio });
    const reason = first instanceof Error ? first.message : String(first);
    const message = `${count} wakes could not be scheduled, this process wakes for them itself; the first: ${reason}`;
    observer.failed({ where, error: new Error(message, { cause: first }) });
  }
}
