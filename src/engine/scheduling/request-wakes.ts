// Requests wake-ups from the queue, a limited number at a time, so that requesting very many overloads neither the
// queue nor this process. While the queue refuses, it is tried again at growing intervals, and refusals are reported
// together: an unavailable queue causes an occasional error, however many wake-ups there are.
import type { Clock, StopTimer } from '../../ports/clock.ts';
import type { JobQueue, Wake } from '../../ports/job-queue.ts';
import type { Observer } from '../../ports/observer.ts';
import { later } from '../../values/instant.ts';

export interface WakeRequestsOptions {
  readonly clock: Clock;
  readonly queue: Pick<JobQueue, 'schedule'>;
  readonly observer: Observer;
  /** Called when the queue will not deliver the wake-up. */
  readonly onRefused: (wake: Wake) => void;
  /** Called when there is room for further requests. */
  readonly onRoom: () => void;
}

/** The maximum number of requests in flight: several batches of the adapter, far fewer than it accepts. */
export const IN_FLIGHT_MAX = 5_000;
/** The limit after a refusal; it grows again as the queue accepts requests. */
const IN_FLIGHT_MIN = 500;
/** Refusals within this time are reported as one error. */
const GATHER_MS = 500;
/** After a refusal nothing is requested for this long; doubled with each further one. */
const REST_MS_MIN = 1_000;
const REST_MS_MAX = 30_000;

export class WakeRequests {
  readonly #parts: WakeRequestsOptions;
  #inFlight = 0;
  #inFlightMax = IN_FLIGHT_MAX;
  /** On the monotonic clock: until then the queue counts as unavailable. */
  #awayUntilMs = Number.NEGATIVE_INFINITY;
  #restMs = REST_MS_MIN;
  #refused: { readonly first: unknown; readonly wake: Wake; count: number } | undefined;
  #stopReport: StopTimer = () => undefined;

  constructor(parts: WakeRequestsOptions) {
    this.#parts = parts;
  }

  /** False while so many are in flight that further ones have to wait. */
  get hasRoom(): boolean {
    return this.#inFlight < this.#inFlightMax;
  }

  /** True for a while after a refusal. */
  get isAway(): boolean {
    return this.#parts.clock.monotonicMs() < this.#awayUntilMs;
  }

  send(wake: Wake): void {
    this.#inFlight += 1;
    this.#parts.queue.schedule(wake).then(
      () => {
        this.#inFlight -= 1;
        this.#inFlightMax = Math.min(this.#inFlightMax + 1, IN_FLIGHT_MAX);
        this.available();
        this.#parts.onRoom();
      },
      (error: unknown) => {
        this.#inFlight -= 1;
        this.#inFlightMax = IN_FLIGHT_MIN;
        this.#away();
        this.refuse(wake, error);
        this.#parts.onRoom();
      },
    );
  }

  /** Takes a wake-up as refused; without an error it was not requested, because the queue is away. */
  refuse(wake: Wake, error?: unknown): void {
    const { clock, onRefused } = this.#parts;
    onRefused(wake);
    if (this.#refused !== undefined) this.#refused.count += 1;
    else if (error !== undefined) {
      this.#refused = { first: error, wake, count: 1 };
      this.#stopReport = clock.at(later(clock.now(), GATHER_MS), () => this.#report());
    }
  }

  /** The queue is back. */
  available(): void {
    this.#awayUntilMs = Number.NEGATIVE_INFINITY;
    this.#restMs = REST_MS_MIN;
  }

  /** Reports what was refused. */
  stop(): void {
    if (this.#refused !== undefined) this.#report();
  }

  #away(): void {
    if (this.isAway) return;
    this.#awayUntilMs = this.#parts.clock.monotonicMs() + this.#restMs;
    this.#restMs = Math.min(2 * this.#restMs, REST_MS_MAX);
  }

  #report(): void {
    this.#stopReport();
    const refused = this.#refused;
    this.#refused = undefined;
    if (refused === undefined) return;
    const { count, first, wake } = refused;
    const { observer } = this.#parts;
    const where = 'queue.schedule';
    if (count === 1)
      return observer.observe({ event: 'failed', where, error: first, portfolio: wake.portfolio });
    const reason = first instanceof Error ? first.message : String(first);
    const message = `${count} wakes could not be scheduled, this process wakes for them itself; the first: ${reason}`;
    observer.observe({ event: 'failed', where, error: new Error(message, { cause: first }) });
  }
}
