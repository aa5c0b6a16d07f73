// What one account holds and has working in one instrument.
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
  /** Profit so far, to the decimals of the settlement currency. */
  realised: Money = ZERO_MONEY;
  /** `realised` at the last settlement. */
  settledRealised: Money = ZERO_MONEY;
  /** Profit below the last digit of the currency, either way: paid with what comes next. */
  unpaid: Money = ZERO_MONEY;
  /** Perpetuals only. */
  funding: FundingAccount = NO_FUNDING;
  /** Unfilled lots of open orders. */
  openBuyLots = 0;
  openSellLots = 0;
  readonly openOrders = new Set<LiveOrder>();
  /** Those that wait for a trigger or for their primary: nothing of them counts yet. */
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

  /** Counts an exact profit and answers what of it can be paid, in whole units of the currency. */
  earn(profitLoss: Money): Money {
    const due = plus(this.unpaid, profitLoss);
    const paid = this.#rounded(due);
    this.unpaid = minus(due, paid);
    this.realise(paid);
    return paid;
  }

  /** Counts a profit that is in the cash paid already, as an option's is; answers it rounded. */
  note(profitLoss: Money): Money {
    const noted = this.#rounded(profitLoss);
    this.realise(noted);
    return noted;
  }

  /** Counts a profit that is paid as it is. */
  realise(paid: Money): void {
    this.realised = plus(this.realised, paid);
  }

  #rounded(amount: Money): Money {
    return rounded(amount, decimalsOf(this.listing.instrument.settlement), 'half_up');
  }

  view(): ExchangePosition {
    const { listing, holding, realised, settledRealised, unpaid, funding } = this;
    const quantity = listing.grid.quantityOf(holding.lots);
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
      ...(funding !== NO_FUNDING && { funding }),
    };
  }
}

const averageOf = (listing: Listing, held: Quantity, cost: Money) =>
  listing.instrument.amountUnit === 'usd'
    ? averageInversePrice(held, cost)
    : averagePrice(cost, held);
