// The schedule of the paper exchange's deliveries and daily settlements: at their exact instants, in order,
// however late they are processed. It knows no market and only returns what is due. Options settle into futures, which
// are therefore delivered after them.
import type { InstrumentName } from '../../../values/ids.ts';
import { earliest, type Instant, later, latest, nextDailyUtc } from '../../../values/instant.ts';
import type { Instrument } from '../../../values/instrument.ts';
import { EXPIRY_HOUR } from '../../../values/instrument-names.ts';
import { assertProgress } from '../../../values/progress.ts';

export type SessionStep =
  | { readonly kind: 'deliver'; readonly at: Instant; readonly name: InstrumentName }
  | { readonly kind: 'settle'; readonly at: Instant; readonly pausedUntil: Instant };

export interface SessionClockOptions {
  /** The time of the exchange's last activity. */
  readonly lastAt: Instant;
  /** How long books pause at a settlement. */
  readonly pauseMs: number;
  /** End of the last pause. */
  readonly pausedUntil: Instant;
  /** The last activity was that of an earlier process. */
  readonly isResumed?: boolean | undefined;
}

export class SessionClock {
  readonly #startedAt: Instant;
  readonly #pauseMs: number;
  readonly #expiring = new Map<InstrumentName, Expiring>();
  #settlesAt: Instant;
  #pausedUntil: Instant;
  /** The next due time, cached because it is checked before every request. */
  #dueAt: Instant;

  constructor({ lastAt, pauseMs, pausedUntil, isResumed = false }: SessionClockOptions) {
    this.#startedAt = lastAt;
    this.#pauseMs = pauseMs;
    this.#pausedUntil = pausedUntil;
    // The earlier process may have ended between the expiries and the settlement of one instant.
    const mayBeUnsettled = isResumed && pausedUntil < lastAt;
    this.#settlesAt = nextDailyUtc(mayBeUnsettled ? later(lastAt, -1) : lastAt, EXPIRY_HOUR);
    this.#dueAt = this.#settlesAt;
  }

  /** When the next step is due. */
  get dueAt(): Instant {
    return this.#dueAt;
  }

  get settlesAt(): Instant {
    return this.#settlesAt;
  }

  get pausedUntil(): Instant {
    return this.#pausedUntil;
  }

  noteExpiry({ name, expiresAt, kind }: Instrument): void {
    if (expiresAt === undefined) return;
    this.#expiring.set(name, { name, expiresAt, isLast: kind === 'future' });
    this.#dueAt = earliest(this.#dueAt, expiresAt);
  }

  isPaused(now: Instant): boolean {
    return now < this.#pausedUntil;
  }

  /**
   * The next due step, which is thereby marked as done; deliveries precede a settlement at the same instant.
   */
  next(now: Instant): SessionStep | undefined {
    if (now < this.#dueAt) return undefined;
    const step = this.#take();
    this.#dueAt = earliest(this.#settlesAt, this.#firstExpiry()?.expiresAt ?? this.#settlesAt);
    return step;
  }

  /** Takes the next step, whenever it is due. */
  #take(): SessionStep {
    const first = this.#firstExpiry();
    if (first !== undefined && first.expiresAt <= this.#settlesAt) {
      this.#expiring.delete(first.name);
      return { kind: 'deliver', at: latest(first.expiresAt, this.#startedAt), name: first.name };
    }
    const at = this.#settlesAt;
    this.#settlesAt = nextDailyUtc(at, EXPIRY_HOUR);
    assertProgress(this.#settlesAt > at, 'the daily settlements');
    this.#pausedUntil = later(at, this.#pauseMs);
    return { kind: 'settle', at, pausedUntil: this.#pausedUntil };
  }

  #firstExpiry(): Expiring | undefined {
    let first: Expiring | undefined;
    for (const one of this.#expiring.values()) {
      if (first === undefined || isSooner(one, first)) first = one;
    }
    return first;
  }
}

interface Expiring {
  readonly name: InstrumentName;
  readonly expiresAt: Instant;
  /** After the others of its instant. */
  readonly isLast: boolean;
}

/** By name at one instant, so that a process that is started again continues in the same order. */
function isSooner(one: Expiring, other: Expiring): boolean {
  if (one.expiresAt !== other.expiresAt) return one.expiresAt < other.expiresAt;
  return one.isLast === other.isLast ? one.name < other.name : other.isLast;
}
