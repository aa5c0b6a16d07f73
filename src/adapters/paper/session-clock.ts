// When the paper exchange has to deliver what expires and to settle its day: at those instants exactly,
// in their order, however late it comes to it. Knows no market and does nothing itself.
import { EXPIRY_HOUR } from '../../exchange/market/naming.ts';
import type { InstrumentName } from '../../values/ids.ts';
import { type Instant, later, latest, nextDailyUtc } from '../../values/instant.ts';
import type { Instrument } from '../../values/instrument.ts';

export type SessionStep =
  | { readonly kind: 'deliver'; readonly at: Instant; readonly name: InstrumentName }
  | { readonly kind: 'settle'; readonly at: Instant; readonly pausedUntil: Instant };

export interface SessionClockParts {
  /** When the exchange last did anything. */
  readonly lastAt: Instant;
  /** How long books pause at a settlement. */
  readonly pauseMs: number;
  /** End of the last pause. */
  readonly pausedUntil: Instant;
}

export class SessionClock {
  readonly #startedAt: Instant;
  readonly #pauseMs: number;
  readonly #expiring = new Map<InstrumentName, Instant>();
  #settlesAt: Instant;
  #pausedUntil: Instant;

  constructor({ lastAt, pauseMs, pausedUntil }: SessionClockParts) {
    this.#startedAt = lastAt;
    this.#pauseMs = pauseMs;
    this.#pausedUntil = pausedUntil;
    this.#settlesAt = nextDailyUtc(lastAt, EXPIRY_HOUR);
  }

  get settlesAt(): Instant {
    return this.#settlesAt;
  }

  get pausedUntil(): Instant {
    return this.#pausedUntil;
  }

  noteExpiry({ name, expiresAt }: Instrument): void {
    if (expiresAt !== undefined) this.#expiring.set(name, expiresAt);
  }

  isPaused(now: Instant): boolean {
    return now < this.#pausedUntil;
  }

  /** Whether `next` would answer anything: asked before every request. */
  isDue(now: Instant): boolean {
    if (now >= this.#settlesAt) return true;
    for (const expiresAt of this.#expiring.values()) if (expiresAt <= now) return true;
    return false;
  }

  /** The next step that is due, counted as done with this; deliveries come before a settlement. */
  next(now: Instant): SessionStep | undefined {
    let first: { readonly name: InstrumentName; readonly expiresAt: Instant } | undefined;
    for (const [name, expiresAt] of this.#expiring) {
      if (expiresAt > now || (first !== undefined && expiresAt >= first.expiresAt)) continue;
      first = { name, expiresAt };
    }
    if (first !== undefined && first.expiresAt <= this.#settlesAt) {
      this.#expiring.delete(first.name);
      return { kind: 'deliver', at: latest(first.expiresAt, this.#startedAt), name: first.name };
    }
    if (now < this.#settlesAt) return undefined;
    const at = this.#settlesAt;
    this.#settlesAt = nextDailyUtc(at, EXPIRY_HOUR);
    this.#pausedUntil = later(at, this.#pauseMs);
    return { kind: 'settle', at, pausedUntil: this.#pausedUntil };
  }
}
