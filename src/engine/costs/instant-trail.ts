// What a market was at instants that reports need to the millisecond: the touch around own fills, and what had been traded by
// the bounds of a schedule. Changes of the last seconds are kept, because an instant is answered a little later, when all news of
// it has come. A change costs a comparison, and an entry if the touch or the count is another.
import type { MarketInstant, TradeCount } from '../../core/report/cost-rows.ts';
import { STALE_MS } from '../../core/report/seen-market.ts';
import type { Price } from '../../values/amounts.ts';
import { type Instant, later, latest, SECOND_MS } from '../../values/instant.ts';
import type { Quote } from '../../values/quote.ts';

type Answer = Pick<MarketInstant, 'at' | 'bid' | 'ask' | 'count'>;

/** Neither price: nothing is offered on either side, or nothing is known. */
interface Touch {
  readonly bid?: Price | undefined;
  readonly ask?: Price | undefined;
}

interface Entry<T> {
  readonly at: Instant;
  readonly value: T;
}

/** News of an instant may come so much later than the instant. */
const NEWS_LAG_MS = SECOND_MS / 2;
/** For fills that are booked late. */
const KEPT_MS = 10 * SECOND_MS;
/** Of each kind, at most: a market that changes more often is known for a shorter time. */
const ENTRIES_MAX = 1_000;
const DROPPED_AT_ONCE = 16;
/** Instants that wait, at most: those of 200 fills a second for half an hour. */
const WAITING_MAX = 500_000;

const UNKNOWN: Touch = {};

export class InstantTrail {
  readonly #touches: Entry<Touch>[] = [];
  readonly #counts: Entry<TradeCount | undefined>[] = [];
  /** By the second in which they are answered. */
  readonly #waiting = new Map<number, Instant[]>();
  #waits = 0;
  /** The next second to answer. */
  #next = 0;
  /** Until then nothing has changed that is not in the trail. */
  #knownTo: Instant | undefined;
  /** Since when trades are counted without a break; absent: not counted. */
  #since: Instant | undefined;

  /** Requests the state of the market at the end of this millisecond. */
  need(at: Instant): void {
    if (this.#waits >= WAITING_MAX) return;
    const second = Math.max(this.#next, Math.floor((at + NEWS_LAG_MS) / SECOND_MS) + 1);
    const others = this.#waiting.get(second) ?? [];
    this.#waiting.set(second, others);
    others.push(at);
    this.#waits += 1;
  }

  /**
   * `at`: on the venue's clock, when it became so; absent: what happens is not known from now on. `now`: on the clock of the
   * quote.
   */
  note(at: Instant | undefined, quote: Quote | undefined, now: Instant): void {
    if (at === undefined || quote === undefined) return this.#lose();
    this.#knownTo = latest(at, this.#knownTo ?? at);
    const last = this.#touches.at(-1)?.value;
    const staleMs = now - quote.seenAt - STALE_MS;
    const [bid, ask] = [quote.bid?.price, quote.ask?.price];
    if (staleMs > 0) {
      if (last !== UNKNOWN) put(this.#touches, later(at, 1 - staleMs), UNKNOWN);
    } else if (
      last === undefined ||
      last === UNKNOWN ||
      !(same(last.bid, bid) && same(last.ask, ask))
    ) {
      put(this.#touches, at, { bid, ask });
    }
    this.#count(at, quote);
  }

  /**
   * Once a second: what may have changed without a notice, and the instants that are due. Those of which the trail knows nothing
   * are left out; those within a break are unknown.
   */
  *answered(
    venueNow: Instant,
    quote: Quote | undefined,
    now: Instant,
  ): Generator<Answer, void, undefined> {
    this.note(venueNow, quote, now);
    const second = Math.floor(venueNow / SECOND_MS);
    // A market that is first looked at has nothing to answer of the past.
    if (this.#next === 0) this.#next = Math.min(second, ...this.#waiting.keys());
    for (; this.#next <= second; this.#next += 1) {
      const due = this.#waiting.get(this.#next) ?? [];
      this.#waiting.delete(this.#next);
      this.#waits -= due.length;
      for (const at of due) {
        const touch = entryAt(this.#touches, at);
        if (touch === undefined) continue;
        yield { at, bid: touch.bid, ask: touch.ask, count: entryAt(this.#counts, at) };
      }
    }
  }

  #count(at: Instant, { traded, tradedValue }: Quote): void {
    const last = this.#counts.at(-1)?.value;
    if (traded === undefined || tradedValue === undefined) {
      this.#since = undefined;
      if (last !== undefined) put(this.#counts, at, undefined);
      return;
    }
    if (this.#since !== undefined && last?.volume.eq(traded)) return;
    // A count that went down has restarted.
    const isRestarted = last === undefined || traded.lt(last.volume);
    if (this.#since === undefined || isRestarted) {
      this.#since = at;
      this.need(at);
    }
    put(this.#counts, at, { since: this.#since, volume: traded, value: tradedValue });
  }

  #lose(): void {
    if (this.#knownTo === undefined) return;
    // What is counted until the break is known.
    if (this.#since !== undefined) this.need(this.#knownTo);
    this.#since = undefined;
    const from = later(this.#knownTo, 1);
    if (this.#touches.at(-1)?.value !== UNKNOWN) put(this.#touches, from, UNKNOWN);
    if (this.#counts.at(-1)?.value !== undefined) put(this.#counts, from, undefined);
  }
}

const same = (a: Price | undefined, b: Price | undefined): boolean =>
  a === b || (a !== undefined && b !== undefined && a.eq(b));

/** The value from this instant on, in place of an earlier one of the same millisecond. Never before the last. */
function put<T>(entries: Entry<T>[], at: Instant, value: T): void {
  const last = entries.at(-1);
  const from = latest(at, last?.at ?? at);
  if (last?.at === from) entries.pop();
  entries.push({ at: from, value });
  const old = entries[DROPPED_AT_ONCE];
  if (old === undefined) return;
  const isFull = entries.length > ENTRIES_MAX;
  if (isFull || old.at < from - KEPT_MS) entries.splice(0, DROPPED_AT_ONCE);
}

/** The value when the millisecond ended. */
function entryAt<T>(entries: readonly Entry<T>[], at: Instant): T | undefined {
  return entries.findLast((entry) => entry.at <= at)?.value;
}
