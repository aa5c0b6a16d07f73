// PT-5: one bucket of messages, of whatever is counted. New orders and edits wait until the bucket has more
// than its reserve; cancels take what there is and never wait.
import type { Instant } from '../../../values/instant.ts';
import type { MessageLimits, MessageRate } from './control-limits.ts';

/** What of the venue's own limit is used; where it does not say, what is configured. */
export const messageRate = (limits: MessageLimits, venue: MessageRate | undefined): MessageRate =>
  venue === undefined
    ? { perSecond: limits.perSecond, burst: limits.burst }
    : {
        perSecond: venue.perSecond * limits.shareOfVenue,
        burst: Math.max(1, Math.floor(venue.burst * limits.shareOfVenue)),
      };

/** One order at least can be sent by a full bucket. */
const reserveOf = ({ burst }: MessageRate, cancelReserve: number): number =>
  Math.min(Math.ceil(burst * cancelReserve), Math.max(0, burst - 1));

export class MessageBudget {
  #rate: MessageRate;
  /** Tokens that only cancels may use. */
  #reserve: number;
  #tokens: number;
  #at: Instant;

  constructor(rate: MessageRate, cancelReserve: number, now: Instant) {
    this.#rate = rate;
    this.#reserve = reserveOf(rate, cancelReserve);
    this.#tokens = rate.burst;
    this.#at = now;
  }

  /** Other rules from now on; what was sent before stays counted, and a smaller bucket spills. */
  retune(rate: MessageRate, cancelReserve: number, now: Instant): void {
    this.#refill(now);
    this.#rate = rate;
    this.#reserve = reserveOf(rate, cancelReserve);
    this.#tokens = Math.max(-rate.burst, Math.min(rate.burst, this.#tokens));
  }

  /** Milliseconds until a new order or an edit may be sent; 0 when it may now. */
  waitMs(now: Instant): number {
    this.#refill(now);
    const missing = this.#reserve + 1 - this.#tokens;
    return missing <= 0 ? 0 : Math.ceil((missing / this.#rate.perSecond) * 1_000);
  }

  /** Counts a message that leaves; below nothing it only takes longer until the next order. */
  sent(now: Instant): void {
    this.#refill(now);
    this.#tokens = Math.max(-this.#rate.burst, this.#tokens - 1);
  }

  /** For those who watch. */
  left(now: Instant): { readonly tokens: number; readonly burst: number } {
    this.#refill(now);
    return { tokens: this.#tokens, burst: this.#rate.burst };
  }

  #refill(now: Instant): void {
    const passedMs = now - this.#at;
    this.#at = now;
    // A clock that went back gives nothing and takes nothing.
    if (passedMs <= 0) return;
    const gained = (passedMs * this.#rate.perSecond) / 1_000;
    this.#tokens = Math.min(this.#rate.burst, this.#tokens + gained);
  }
}
