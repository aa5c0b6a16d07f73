// One account's position and open orders in one instrument.
import {
  averageInversePrice,
  averagePrice,
  type Money,
  minus,
  plus,
  type Quantity,
  rounded,
  ZERO_MONEY,
} from '../../values/amounts.ts';
import type { AccountId } from '../../values/ids.ts';
import type { ExchangePosition } from '../exchange-event.ts';
import { decimalsOf } from './fees.ts';
import { type FundingAccount, NO_FUNDING } from './instruments/funding-account.ts';
import type { Listing } from './instruments/listing.ts';
import type { LiveOrder } from './live-order.ts';
import { FLAT, type Holding } from './position.ts';

export class Exposure {
  readonly account: AccountId;
  readonly listing: Listing;
  holding: Holding = FLAT;
  /** Realised profit, rounded to the decimals of the settlement currency. */
  realised: Money = ZERO_MONEY;
  /** `realised` at the last settlement. */
  settledRealised: Money = ZERO_MONEY;
  /** Profit smaller than the currency's last digit, of either sign: paid with the next payment. */
  unpaid: Money = ZERO_MONEY;
  /** Signed lots of a future at its expiry that came from options. */
  fromOptions = 0;
  /** Perpetuals only. */
  funding: FundingAccount = NO_FUNDING;
  /** Unfilled lots of open orders. */
  openBuyLots = 0;
  openSellLots = 0;
  readonly openOrders = new Set<LiveOrder>();
  /** Orders that wait for a trigger or for their primary: they do not count towards exposure yet. */
  readonly dormantOrders = new Set<LiveOrder>();
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

  /** Adds an exact profit and returns the payable part of it, in whole units of the currency. */
  earn(profitLoss: Money): Money {
    const due = plus(this.unpaid, profitLoss);
    const paid = this.#rounded(due);
    this.unpaid = minus(due, paid);
    this.realise(paid);
    return paid;
  }

  /** Adds a profit that has already been paid in cash, as with options; returns it rounded. */
  note(profitLoss: Money): Money {
    const noted = this.#rounded(profitLoss);
    this.realise(noted);
    return noted;
  }

  /** Adds a profit that is paid exactly as given. */
  realise(paid: Money): void {
    this.realised = plus(this.realised, paid);
  }

  #rounded(amount: Money): Money {
    return rounded(amount, decimalsOf(this.listing.instrument.settlement), 'half_up');
  }

  /** Signed, in the amount unit. */
  get quantity(): Quantity {
    return this.listing.grid.quantityOf(this.holding.lots);
  }

  view(): ExchangePosition {
    const { listing, holding, realised, settledRealised, unpaid, funding, quantity, fromOptions } =
      this;
    const held = listing.grid.quantityOf(Math.abs(holding.lots));
    return {
      account: this.account,
      instrument: listing.instrument.name,
      quantity,
      cost: holding.cost,
      basis: holding.basis,
      ...(holding.lots !== 0 && { averagePrice: averageOf(listing, held, holding.cost) }),
      realised,
      settledRealised,
      unpaid,
      ...(fromOptions !== 0 && { fromOptions: listing.grid.quantityOf(fromOptions) }),
      ...(funding !== NO_FUNDING && { funding }),
    };
  }
}

const averageOf = (listing: Listing, held: Quantity, cost: Money) =>
  listing.instrument.amountUnit === 'usd'
    ? averageInversePrice(held, cost)
    : averagePrice(cost, held);
