// The public data of one market besides orders: reference prices, tape and depth.

import type { Price, Quantity, Ratio } from '../../values/amounts.ts';
import type { Instant } from '../../values/instant.ts';
import type { Side } from '../../values/instrument.ts';
import type { TickDirection } from '../../values/order-terms.ts';
import type { Greeks, PriceLevel } from '../../values/quote.ts';

/** The latest reference data the market source published for an instrument. */
export interface Reference {
  readonly at: Instant;
  readonly index?: Price | undefined;
  readonly mark: Price;
  readonly underlying?: Price | undefined;
  readonly markIv?: number | undefined;
  readonly greeks?: Greeks | undefined;
  readonly minPrice?: Price | undefined;
  readonly maxPrice?: Price | undefined;
  /**
   * Perpetuals: the current rate, a fraction of the position's value per eight hours; longs pay if it is
   * positive.
   */
  readonly currentFunding?: Ratio | undefined;
  /** Perpetuals: what a long paid over the last eight hours, as a fraction of the position's value. */
  readonly fundingRate8h?: Ratio | undefined;
}

export interface LastTrade {
  readonly price: Price;
  readonly quantity: Quantity;
  /** The taker's side. */
  readonly side: Side;
  readonly tickDirection: TickDirection;
  readonly tradeSeq: number;
  readonly at: Instant;
}

export interface Depth {
  /** Best first. */
  readonly bids: readonly PriceLevel[];
  readonly asks: readonly PriceLevel[];
}

export interface Touch {
  readonly bid?: PriceLevel | undefined;
  readonly ask?: PriceLevel | undefined;
}
