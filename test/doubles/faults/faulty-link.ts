// A connection to a venue with the faults of a plan. All faults are injected here; the parties at both ends behave
// as on a real connection.
import { answerOfCode, type Refused, type Unknown } from '../../../src/core/order/answer-class.ts';
import type { Clock } from '../../../src/ports/clock.ts';
import { type Instant, later } from '../../../src/values/instant.ts';
import { type Rng, rng } from '../../../src/values/rng.ts';
import type { FaultPlan, Spell } from './fault-plan.ts';

export type Lost = Unknown;

/** The connection between a deployment and a venue, as seen from its ends. */
export interface VenueLink {
  readonly isDown: boolean;
  /** The venue's list of instruments has arrived; before it nothing of a query can be read. */
  readonly isListed: boolean;
  /**
   * Carries a request that changes something to the venue and its reply back. `refused` builds the reply of a venue
   * that refuses with a code. From `voidAt` on, by its own clock, the venue must refuse the request.
   */
  carry<T>(
    send: () => Promise<T>,
    refused: (code: number) => NoInfer<T>,
    voidAt?: Instant,
  ): Promise<T | Lost>;
  /** Carries a query and its reply. */
  query<T>(send: () => Promise<T>, refused: (code: number) => NoInfer<T>): Promise<T | Lost>;
  /** Passes a notice to `receive`: now, late, twice, or not at all. */
  deliver(receive: () => void): void;
  /** Calls `then` whenever a lost connection is restored, until the returned function is called. */
  onReconnect(then: () => void): () => void;
}

const TIMEOUT_MS = 2_000;

export class FaultyLink implements VenueLink {
  readonly isListed = true;
  readonly #clock: Clock;
  readonly #plan: FaultPlan;
  readonly #requests: Rng;
  readonly #notices: Rng;

  constructor(clock: Clock, plan: FaultPlan) {
    this.#clock = clock;
    this.#plan = plan;
    // Separate random streams: another listener must not change which requests are lost.
    this.#requests = rng(plan.seed).split('requests');
    this.#notices = rng(plan.seed).split('notices');
  }

  get isDown(): boolean {
    return this.#downUntil() !== undefined;
  }

  carry<T>(send: () => Promise<T>, refused: (code: number) => NoInfer<T>): Promise<T | Lost> {
    return this.#carry(send, refused);
  }

  /** Queries are not refused. */
  query<T>(send: () => Promise<T>): Promise<T | Lost> {
    return this.#carry(send, undefined);
  }

  async #carry<T>(
    send: () => Promise<T>,
    refused: ((code: number) => T) | undefined,
  ): Promise<T | Lost> {
    if (this.isDown) return DISCONNECTED;
    const { loseRequest, loseAnswer, delay, refuse } = this.#plan.requests ?? {};
    const losesRequest = this.#happens(this.#requests, loseRequest);
    const losesAnswer = this.#happens(this.#requests, loseAnswer);
    const refuses = this.#happens(this.#requests, refuse?.chance);
    const [outMs, backMs] = [
      this.#waitOf(this.#requests, delay),
      this.#waitOf(this.#requests, delay),
    ];
    if (outMs > 0) await this.#pass(outMs);
    if (losesRequest || this.isDown) return await this.#timedOut();
    if (refuses && refuse !== undefined && refused !== undefined) return refused(refuse.code);
    const answer = await send();
    if (backMs > 0) await this.#pass(backMs);
    return losesAnswer || this.isDown ? await this.#timedOut() : answer;
  }

  deliver(receive: () => void): void {
    if (this.isDown) return;
    const { lose, duplicate, reorder } = this.#plan.notices ?? {};
    const isLost = this.#happens(this.#notices, lose);
    const againMs = this.#waitOf(this.#notices, duplicate);
    const lateMs = this.#waitOf(this.#notices, reorder);
    if (isLost) return;
    const arrive = (waitMs: number): void => {
      if (waitMs === 0) receive();
      else this.#clock.at(later(this.#clock.now(), waitMs), receive);
    };
    arrive(lateMs);
    if (againMs > 0) arrive(lateMs + againMs);
  }

  onReconnect(then: () => void): () => void {
    const ends = (this.#plan.disconnects ?? []).map(endOf).filter((at) => at > this.#clock.now());
    const stops = ends.map((at) => this.#clock.at(at, then));
    return () => {
      for (const stop of stops) stop();
    };
  }

  /** The end of the current disconnection; `undefined` while connected. */
  #downUntil(): Instant | undefined {
    const now = this.#clock.now();
    const present = this.#plan.disconnects?.find((one) => one.from <= now && now < endOf(one));
    return present && endOf(present);
  }

  async #timedOut(): Promise<Lost> {
    await this.#pass(this.#plan.requests?.timeoutMs ?? TIMEOUT_MS);
    return NO_ANSWER;
  }

  #happens(draw: Rng, chance: number | undefined): boolean {
    return chance !== undefined && draw.next() < chance;
  }

  /** The delay in milliseconds; above 0 if the fault occurs. */
  #waitOf(draw: Rng, spell: Spell | undefined): number {
    if (spell === undefined || !this.#happens(draw, spell.chance)) return 0;
    return 1 + draw.below(Math.max(1, spell.maxMs));
  }

  #pass(forMs: number): Promise<void> {
    return new Promise((resolve) => {
      this.#clock.at(later(this.#clock.now(), forMs), resolve);
    });
  }
}

/** The reply of a venue that refuses a request with the code. */
export const refusedWith = (code: number): Refused | Unknown =>
  answerOfCode(code, `refused ${code}`);

const endOf = ({ from, forMs }: { readonly from: Instant; readonly forMs: number }): Instant =>
  later(from, forMs);

const DISCONNECTED: Lost = { kind: 'unknown', reason: 'not connected' };
const NO_ANSWER: Lost = { kind: 'unknown', reason: 'no answer in time' };
