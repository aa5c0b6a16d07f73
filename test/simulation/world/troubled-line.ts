// The connection between one daemon and the venue, with the plan's faults. A request can still be
// in flight when its sender has given up, and arrive too late.
import type { Clock } from '../../../src/ports/clock.ts';
import { type Instant, later, latest } from '../../../src/values/instant.ts';
import type { Lost, VenueLink } from '../../doubles/faults/faulty-link.ts';
import { LISTING_MS } from '../plan/plan-kinds.ts';
import type { Trouble } from './trouble.ts';

export interface TroubledLineParts {
  /** True time. */
  readonly clock: Clock;
  readonly trouble: Trouble;
  readonly refusalCode: number;
  /** The venue's clock. */
  readonly venueNow: () => Instant;
}

/** What a lost request or answer waits until it is given up. */
const TIMEOUT_MS = 500;
/** How far from its deadline a request arrives that is to arrive around it. */
const EDGE_MS = 60;
const TOO_MANY_REQUESTS = 10028;

/** Refusals of a query that say nothing about an order: bad parameters, no right, maintenance, too many requests. */
const QUERY_REFUSALS = [-32602, 13009, 11051, TOO_MANY_REQUESTS];

const NOT_LISTED: Lost = { kind: 'unknown', reason: 'the instruments are not listed yet' };
const DISCONNECTED: Lost = { kind: 'unknown', reason: 'not connected' };
const NO_ANSWER: Lost = { kind: 'unknown', reason: 'no answer in time' };

export class TroubledLine implements VenueLink {
  readonly #parts: TroubledLineParts;
  readonly #backAgain = new Set<() => void>();
  #downUntil: Instant;
  #limitedUntil: Instant;
  #listedAt: Instant;

  constructor(parts: TroubledLineParts) {
    this.#parts = parts;
    const now = parts.clock.now();
    this.#downUntil = now;
    this.#limitedUntil = now;
    this.#listedAt = now;
    const { trouble } = parts;
    const forMs = trouble.spellMs('venue_late');
    if (forMs === undefined) return;
    this.#breakFor(forMs);
    this.#listedAt = later(this.#downUntil, trouble.pick('venue_late', LISTING_MS));
  }

  get isListed(): boolean {
    return this.#parts.clock.now() >= this.#listedAt;
  }

  get isDown(): boolean {
    return this.#parts.clock.now() < this.#downUntil;
  }

  async carry<T>(
    send: () => Promise<T>,
    refused: (code: number) => NoInfer<T>,
    voidAt?: Instant,
  ): Promise<T | Lost> {
    this.#maybeBreak();
    if (this.isDown) return DISCONNECTED;
    const { trouble, refusalCode } = this.#parts;
    if (this.#isLimited()) return refused(TOO_MANY_REQUESTS);
    if (trouble.strikes('refused')) return refused(refusalCode);
    if (trouble.strikes('request_lost')) return await this.#timedOut();
    return await this.#overAndBack(send, this.#outMs(voidAt));
  }

  async query<T>(send: () => Promise<T>, refused: (code: number) => NoInfer<T>): Promise<T | Lost> {
    this.#maybeBreak();
    if (this.isDown) return DISCONNECTED;
    if (!this.isListed) return NOT_LISTED;
    const { trouble } = this.#parts;
    if (trouble.strikes('query_lost')) return await this.#timedOut();
    if (trouble.strikes('query_refused')) {
      const code = QUERY_REFUSALS[trouble.pick('query_refused', QUERY_REFUSALS.length)];
      return refused(code ?? TOO_MANY_REQUESTS);
    }
    return await this.#overAndBack(send, 0);
  }

  deliver(receive: () => void): void {
    const { trouble } = this.#parts;
    if (this.isDown || trouble.strikes('notice_lost')) return;
    const lateMs = trouble.spellMs('notice_late');
    const againMs = trouble.spellMs('notice_repeated');
    if (lateMs === undefined) receive();
    else this.#in(lateMs, receive);
    if (againMs !== undefined) this.#in((lateMs ?? 0) + againMs, receive);
  }

  onReconnect(then: () => void): () => void {
    this.#backAgain.add(then);
    return () => {
      this.#backAgain.delete(then);
    };
  }

  async #overAndBack<T>(send: () => Promise<T>, outMs: number): Promise<T | Lost> {
    const { trouble } = this.#parts;
    const backMs = trouble.spellMs('answer_late') ?? 0;
    const losesAnswer = trouble.strikes('answer_lost');
    if (outMs === 0 && backMs === 0 && !losesAnswer) return await send();
    return await Promise.race([
      this.#timedOut(),
      this.#carried(send, { outMs, backMs, losesAnswer }),
    ]);
  }

  async #carried<T>(
    send: () => Promise<T>,
    way: { readonly outMs: number; readonly backMs: number; readonly losesAnswer: boolean },
  ): Promise<T> {
    if (way.outMs > 0) await this.#pass(way.outMs);
    const answer = await send();
    if (way.backMs > 0) await this.#pass(way.backMs);
    // The answer is lost: its sender has given up by then.
    if (way.losesAnswer || this.isDown) return await new Promise(() => undefined);
    return answer;
  }

  #outMs(voidAt: Instant | undefined): number {
    const { trouble, venueNow } = this.#parts;
    const lateMs = trouble.spellMs('request_late') ?? 0;
    if (voidAt === undefined || !trouble.strikes('request_at_deadline')) return lateMs;
    const edge = trouble.pick('request_at_deadline', 2 * EDGE_MS) - EDGE_MS;
    return Math.max(0, voidAt - venueNow() + edge);
  }

  #maybeBreak(): void {
    if (this.isDown) return;
    const forMs = this.#parts.trouble.spellMs('line_down');
    if (forMs !== undefined) this.#breakFor(forMs);
  }

  #breakFor(forMs: number): void {
    this.#downUntil = later(this.#parts.clock.now(), forMs);
    this.#in(forMs, () => {
      for (const then of this.#backAgain) then();
    });
  }

  #isLimited(): boolean {
    const { trouble, clock } = this.#parts;
    const now = clock.now();
    const forMs = trouble.spellMs('rate_limited');
    if (forMs !== undefined) this.#limitedUntil = latest(this.#limitedUntil, later(now, forMs));
    return now < this.#limitedUntil;
  }

  async #timedOut(): Promise<Lost> {
    await this.#pass(TIMEOUT_MS);
    return NO_ANSWER;
  }

  #in(forMs: number, then: () => void): void {
    const { clock } = this.#parts;
    clock.at(later(clock.now(), forMs), then);
  }

  #pass(forMs: number): Promise<void> {
    return new Promise((done) => this.#in(forMs, done));
  }
}
