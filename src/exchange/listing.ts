// One instrument in trading: its grid, book, band, surroundings and tape.
import type { Money } from '../values/amounts.ts';
import type { Instant } from '../values/instant.ts';
import type { Instrument, Side } from '../values/instrument.ts';
import { Grid } from './grid.ts';
import type { Reference } from './market-view.ts';
import type { TickDirection } from './order.ts';
import { OrderBook } from './order-book.ts';

/** `closed` is for good. */
type BookState = 'open' | 'settlement' | 'locked' | 'closed';

export interface Tape {
  readonly ticks: number;
  readonly lots: number;
  readonly side: Side;
  readonly tickDirection: TickDirection;
  readonly tradeSeq: number;
  readonly at: Instant;
}

/** At the mark of one reference. */
export interface LotMarks {
  /** What one lot is worth: coin for USD-sized contracts, quote otherwise. */
  readonly value: Money;
  /** Initial margin of one lot, for an option of one that is short. */
  readonly margin: Money;
}

export class Listing {
  readonly instrument: Instrument;
  readonly grid: Grid;
  readonly book = new OrderBook();
  state: BookState = 'open';
  closedAt: Instant | undefined = undefined;
  last: Tape | undefined = undefined;
  tradeSeq = 0;
  /** Worked out once per reference, by the margin rules. */
  lotMarks: LotMarks | undefined = undefined;
  #reference: Reference | undefined = undefined;
  #minTicks: number | undefined = undefined;
  #maxTicks: number | undefined = undefined;

  constructor(instrument: Instrument) {
    this.instrument = instrument;
    this.grid = new Grid(instrument);
  }

  get reference(): Reference | undefined {
    return this.#reference;
  }

  set reference(reference: Reference | undefined) {
    this.#reference = reference;
    this.lotMarks = undefined;
    const { minPrice, maxPrice } = reference ?? {};
    this.#minTicks = minPrice && this.grid.ceil(Math.ceil(this.grid.exactTicks(minPrice)));
    this.#maxTicks = maxPrice && this.grid.floor(Math.floor(this.grid.exactTicks(maxPrice)));
  }

  /** The worst price an order of `side` may name: the band. `undefined` while there is none. */
  bandTicks(side: Side): number | undefined {
    return side === 'buy' ? this.#maxTicks : this.#minTicks;
  }

  isExpired(now: Instant): boolean {
    const { expiresAt } = this.instrument;
    return this.state === 'closed' || (expiresAt !== undefined && expiresAt <= now);
  }

  /** Puts a trade on the tape and answers where its price stands against the one before. */
  print(trade: { ticks: number; lots: number; side: Side; at: Instant }): Tape {
    this.tradeSeq += 1;
    const tickDirection = directionAfter(this.last, trade.ticks);
    this.last = { ...trade, tickDirection, tradeSeq: this.tradeSeq };
    return this.last;
  }
}

/** The first trade counts as up. */
function directionAfter(last: Tape | undefined, ticks: number): TickDirection {
  if (last === undefined || ticks > last.ticks) return 0;
  if (ticks < last.ticks) return 2;
  return last.tickDirection <= 1 ? 1 : 3;
}
