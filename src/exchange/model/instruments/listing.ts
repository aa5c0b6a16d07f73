// One tradable instrument: its grid, book, price band, reference prices and tape; of a combo also its legs.

import { type Money, type Price, toNumber } from '../../../values/amounts.ts';
import type { Instant } from '../../../values/instant.ts';
import { HOUR_MS, later } from '../../../values/instant.ts';
import type { Instrument, Side } from '../../../values/instrument.ts';
import type { OrderType, TickDirection, TimeInForce } from '../../../values/order-terms.ts';
import { Grid } from '../../book/grid.ts';
import { OrderBook } from '../../book/order-book.ts';

import type { Reference } from '../market-view.ts';
import { SPEED_BUMPS } from './contract-rules.ts';
import { DayStats } from './day-stats.ts';
import type { FundingSample } from './funding-account.ts';

/** `closed` is permanent. */
export type BookState = 'open' | 'settlement' | 'locked' | 'closed';

export interface Tape {
  readonly ticks: number;
  readonly lots: number;
  readonly side: Side;
  readonly tickDirection: TickDirection;
  readonly tradeSeq: number;
  readonly at: Instant;
}

/** Per-lot values at the mark price of one reference, in the settlement currency. */
export interface LotMarks {
  /** What one lot is worth. */
  readonly value: Money;
  readonly initial: LotMargin;
  readonly maintenance: LotMargin;
}

/** Margin of n lots: n × flat + n² × growth. For options, n counts short lots. */
export interface LotMargin {
  readonly flat: Money;
  readonly growth: Money;
  /** By n, as far as computed. */
  known?: Map<number, Money>;
}

/** A leg of a combo. */
export interface ListedLeg {
  readonly listing: Listing;
  /** As in the combo's terms. */
  readonly ratio: number;
  /** What buying one lot of the combo buys of it, in its lots; negative if it is sold. */
  readonly lots: number;
}

/** The properties that many orders of the instrument share. */
export interface OrderKind {
  readonly listing: Listing;
  readonly side: Side;
  readonly originalType: OrderType;
  readonly timeInForce: TimeInForce;
  readonly mmp: boolean;
}

export class Listing {
  readonly instrument: Instrument;
  readonly grid: Grid;
  /** Empty unless it is a combo. */
  readonly legs: readonly ListedLeg[];
  readonly book = new OrderBook();
  /** Orders that would match at once wait first. */
  readonly hasSpeedBump: boolean;
  state: BookState = 'open';
  closedAt: Instant | undefined = undefined;
  last: Tape | undefined = undefined;
  tradeSeq = 0;
  readonly day = new DayStats();
  /** Only for instruments that expire. */
  readonly average: DeliveryAverage | undefined;
  /** Mark price at the last settlement. */
  settlementPrice: Price | undefined = undefined;
  deliveryPrice: Price | undefined = undefined;
  /** Perpetuals. */
  funding: FundingSample | undefined = undefined;
  /** Computed once per reference by the margin rules. */
  lotMarks: LotMarks | undefined = undefined;
  /** Keyed by the joined property values. */
  readonly kinds = new Map<string, OrderKind>();
  #reference: Reference | undefined = undefined;
  #minTicks: number | undefined = undefined;
  #maxTicks: number | undefined = undefined;

  constructor(instrument: Instrument, legs: readonly ListedLeg[] = []) {
    this.instrument = instrument;
    this.grid = new Grid(instrument);
    this.legs = legs;
    this.hasSpeedBump = legs.some(({ listing }) => listing.hasSpeedBump) || isBumped(instrument);
    const { expiresAt } = instrument;
    this.average = expiresAt === undefined ? undefined : new DeliveryAverage(expiresAt);
  }

  get reference(): Reference | undefined {
    return this.#reference;
  }

  set reference(reference: Reference | undefined) {
    const before = this.#reference;
    this.#reference = reference;
    if (reference?.index !== undefined) {
      this.average?.note(reference.at, toNumber(reference.index));
    }
    const { mark, index, underlying, minPrice, maxPrice } = reference ?? {};
    // A reference that is only repeated has the same objects in it: nothing needs to be divided again.
    const isSame =
      mark === before?.mark && index === before?.index && underlying === before?.underlying;
    if (!isSame) this.lotMarks = undefined;
    if (minPrice !== before?.minPrice) {
      this.#minTicks = minPrice && this.grid.ceil(Math.ceil(this.grid.exactTicks(minPrice)));
    }
    if (maxPrice !== before?.maxPrice) {
      this.#maxTicks = maxPrice && this.grid.floor(Math.floor(this.grid.exactTicks(maxPrice)));
    }
  }

  /** The price band: the worst price an order of `side` may have. `undefined` if there is no band. */
  bandTicks(side: Side): number | undefined {
    return side === 'buy' ? this.#maxTicks : this.#minTicks;
  }

  isExpired(now: Instant): boolean {
    const { expiresAt } = this.instrument;
    return this.state === 'closed' || (expiresAt !== undefined && expiresAt <= now);
  }

  /** Adds a trade to the tape and returns the tape entry with its tick direction. */
  print(trade: { ticks: number; lots: number; side: Side; at: Instant }): Tape {
    this.tradeSeq += 1;
    this.day.add(trade);
    const tickDirection = directionAfter(this.last, trade.ticks);
    this.last = { ...trade, tickDirection, tradeSeq: this.tradeSeq };
    return this.last;
  }
}

const isBumped = ({ name, kind }: Instrument): boolean =>
  kind !== 'future_combo' &&
  kind !== 'option_combo' &&
  SPEED_BUMPS.kinds[kind] &&
  !SPEED_BUMPS.exempt.has(name);

/** The first trade counts as an uptick. */
function directionAfter(last: Tape | undefined, ticks: number): TickDirection {
  if (last === undefined || ticks > last.ticks) return 0;
  if (ticks < last.ticks) return 2;
  return last.tickDirection <= 1 ? 1 : 3;
}

const WINDOW_MS = HOUR_MS / 2;

/**
 * The average of the index over the half hour before an expiry, so far: the published estimate of the
 * delivery price. The market source supplies the actual delivery price.
 */
class DeliveryAverage {
  readonly #opensAt: Instant;
  #since: Instant | undefined;
  #lastAt: Instant;
  #lastIndex = 0;
  /** Index × milliseconds. */
  #sum = 0;

  constructor(expiresAt: Instant) {
    this.#opensAt = later(expiresAt, -WINDOW_MS);
    this.#lastAt = this.#opensAt;
  }

  note(at: Instant, index: number): void {
    if (at < this.#opensAt || at < this.#lastAt) return;
    if (this.#since === undefined) this.#since = at;
    else this.#sum += this.#lastIndex * (at - this.#lastAt);
    this.#lastAt = at;
    this.#lastIndex = index;
  }

  /** Time-weighted up to the last index noted; `undefined` before the window starts. */
  get value(): number | undefined {
    if (this.#since === undefined) return undefined;
    const passedMs = this.#lastAt - this.#since;
    return passedMs === 0 ? this.#lastIndex : this.#sum / passedMs;
  }
}
