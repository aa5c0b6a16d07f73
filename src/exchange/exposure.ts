// What one account holds and has working in one instrument.
import {
  averageInversePrice,
  averagePrice,
  type Money,
  plus,
  type Quantity,
  ZERO_MONEY,
} from '../values/amounts.ts';
import type { AccountId } from '../values/ids.ts';
import type { ExchangePosition } from './event.ts';
import type { Listing } from './listing.ts';
import type { LiveOrder } from './live-order.ts';
import type { Holding } from './position.ts';

export class Exposure {
  readonly account: AccountId;
  readonly listing: Listing;
  holding: Holding = { lots: 0, cost: ZERO_MONEY };
  realised: Money = ZERO_MONEY;
  /** Unfilled lots of open orders. */
  openBuyLots = 0;
  openSellLots = 0;
  readonly openOrders = new Set<LiveOrder>();
  /** How many of the open orders are reduce-only. */
  reduceOnlyCount = 0;

  constructor(account: AccountId, listing: Listing) {
    this.account = account;
    this.listing = listing;
  }

  get lots(): number {
    return this.holding.lots;
  }

  openLots(side: 'buy' | 'sell'): number {
    return side === 'buy' ? this.openBuyLots : this.openSellLots;
  }

  book(after: Holding, profitLoss: Money): void {
    this.holding = after;
    this.realised = plus(this.realised, profitLoss);
  }

  view(): ExchangePosition {
    const { listing, holding, realised } = this;
    const quantity = listing.grid.quantityOf(holding.lots);
    const held = listing.grid.quantityOf(Math.abs(holding.lots));
    return {
      account: this.account,
      instrument: listing.instrument.name,
      quantity,
      cost: holding.cost,
      ...(holding.lots !== 0 && { averagePrice: averageOf(listing, held, holding.cost) }),
      realised,
    };
  }
}

const averageOf = (listing: Listing, held: Quantity, cost: Money) =>
  listing.instrument.amountUnit === 'usd'
    ? averageInversePrice(held, cost)
    : averagePrice(cost, held);
