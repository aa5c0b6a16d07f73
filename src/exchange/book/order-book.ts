// A price-time priority book in ticks and lots. It knows nothing of accounts or money and does not match by
// itself (`matching.ts` does), so it can also be rebuilt entry by entry.
import { assert } from '../../values/assert.ts';
import type { Side } from '../../values/instrument.ts';
import { BookSide } from './book-side.ts';
import type { PriceLevel, Resting } from './price-level.ts';

export class OrderBook {
  readonly bids = new BookSide('buy');
  readonly asks = new BookSide('sell');
  /** How many times resting orders were changed, not counting trades. */
  changes = 0;

  /** The side on which orders of `side` rest. */
  own(side: Side): BookSide {
    return side === 'buy' ? this.bids : this.asks;
  }

  /** The side against which orders of `side` trade. */
  against(side: Side): BookSide {
    return side === 'buy' ? this.asks : this.bids;
  }

  best(side: Side): PriceLevel | undefined {
    return this.own(side).best;
  }

  /** True if an order of `side` at `ticks` would trade on arrival. */
  wouldTrade(side: Side, ticks: number): boolean {
    const best = this.against(side).best;
    return best !== undefined && (side === 'buy' ? best.ticks <= ticks : best.ticks >= ticks);
  }

  /** Puts `entry` at the end of the queue at `ticks`. */
  rest(entry: Resting, side: Side, ticks: number): void {
    assert(
      entry.level === undefined && entry.lots > 0,
      'an entry that starts to rest is not queued and not empty',
    );
    assert(
      entry.hiddenLots === 0 || entry.refreshLots > 0,
      'an entry with hidden lots has a refresh size',
    );
    this.changes += 1;
    this.own(side).add(entry, ticks);
  }

  /** Removes `entry` from the book; no effect if it is not there. */
  remove(entry: Resting, side: Side): void {
    if (entry.level === undefined) return;
    this.changes += 1;
    this.own(side).remove(entry, entry.level);
  }

  /** Puts `entry` in front of the queue at `ticks`. */
  restInFront(entry: Resting, side: Side, ticks: number): void {
    this.changes += 1;
    this.own(side).addBehind(entry, ticks, () => false);
  }

  /**
   * Reduces a resting entry by `lots` at its owner's request, hidden lots first. The entry keeps its place;
   * with nothing left it leaves the book.
   */
  reduce(entry: Resting, side: Side, lots: number): void {
    const { level } = entry;
    assert(
      level !== undefined && lots <= entry.lots + entry.hiddenLots,
      'only resting lots can be removed',
    );
    this.changes += 1;
    const hidden = Math.min(lots, entry.hiddenLots);
    if (hidden > 0) level.shrinkHidden(entry, hidden);
    level.shrink(entry, lots - hidden);
    if (entry.lots === 0 && entry.hiddenLots === 0) this.own(side).remove(entry, level);
  }
}
