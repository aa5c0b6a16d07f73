// PT-5: one token bucket of messages. New orders and edits wait until the bucket holds more than its reserve; cancels
// take what is there and never wait.
import type { Instant } from '../../../values/instant.ts';
import type { BudgetRoom } from '../message-room.ts';
import type { MessageLimits, MessageRate } from './control-limits.ts';

/** The configured share of the venue's own limit; if the venue publishes none, the configured rate. */
export const messageRate = (limits: MessageLimits, venue: MessageRate | undefined): MessageRate =>
  venue === undefined
    ? { perSecond: limits.perSecond, burst: limits.burst }
    : {
        perSecond: venue.perSecond * limits.shareOfVenue,
        burst: Math.max(1, Math.floor(venue.burst * limits.shareOfVenue)),
      };

/** A full bucket must allow at least one order. */
const reserveOf = ({ burst }: MessageRate, cancelReserve: number): number =>
  Math.min(Math.ceil(burst * cancelReserve), Math.max(0, burst - 1));

export class MessageBudget {
  #rate: MessageRate;
  /** Tokens reserved for cancels. */
  #reserve: number;
  #tokens: number;
  /** Orders that are intended and have not been sent yet. */
  #promised = 0;
  #at: Instant;

  /** `tokens`: how full it is at `now`; absent: full. */
  constructor(rate: MessageRate, cancelReserve: number, now: Instant, tokens = rate.burst) {
    this.#rate = rate;
    this.#reserve = reserveOf(rate, cancelReserve);
    this.#tokens = Math.min(rate.burst, tokens);
    this.#at = now;
  }

  /** Changes the rules; messages already sent stay counted, and a smaller bucket discards the excess. */
  retune(rate: MessageRate, cancelReserve: number, now: Instant): void {
    this.#refill(now);
    this.#rate = rate;
    this.#reserve = reserveOf(rate, cancelReserve);
    this.#tokens = Math.max(-rate.burst, Math.min(rate.burst, this.#tokens));
  }

  /** Milliseconds until a new order or an edit may be sent; 0 if it may be sent now. */
  waitMs(now: Instant): number {
    this.#refill(now);
    const missing = this.#reserve + 1 - this.#tokens;
    return missing <= 0 ? 0 : Math.ceil((missing / this.#rate.perSecond) * 1_000);
  }

  /** Counts a message that was sent; below zero, the next order only waits longer. */
  sent(now: Instant): void {
    this.#refill(now);
    this.#tokens = Math.max(-this.#rate.burst, this.#tokens - 1);
  }

  /** Holds a message for an order that is going to be sent. */
  promise(): void {
    this.#promised += 1;
  }

  /** The order is being sent, or is not going to be. */
  withdraw(): void {
    this.#promised -= 1;
  }

  /** What is left for orders that are not intended yet. */
  room(now: Instant): BudgetRoom {
    this.#refill(now);
    const left = this.#tokens - this.#reserve - this.#promised;
    return { left, perSecond: this.#rate.perSecond };
  }

  /** Messages sent that count still, and those promised, of `burst`; more than that after a burst of cancels. */
  use(now: Instant): { readonly used: number; readonly burst: number } {
    this.#refill(now);
    return { used: this.#rate.burst - this.#tokens + this.#promised, burst: this.#rate.burst };
  }

  /** How full it is, whatever is promised. */
  level(now: Instant): number {
    this.#refill(now);
    return this.#tokens;
  }

  /** For monitoring: what is not promised; only cancels may use the reserve. */
  left(now: Instant): {
    readonly tokens: number;
    readonly burst: number;
    readonly reserve: number;
  } {
    const tokens = this.level(now) - this.#promised;
    return { tokens, burst: this.#rate.burst, reserve: this.#reserve };
  }

  #refill(now: Instant): void {
    const passedMs = now - this.#at;
    this.#at = now;
    // A clock that went back has no effect.
    if (passedMs <= 0) return;
    const gained = (passedMs * this.#rate.perSecond) / 1_000;
    this.#tokens = Math.min(this.#rate.burst, this.#tokens + gained);
  }
}
