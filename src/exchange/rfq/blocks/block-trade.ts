// The trade of one taker and one maker in a Block RFQ: a row for each leg and one for the hedge.

import type { Money, Price, Quantity } from '../../../values/amounts.ts';
import type { ClientLink } from '../../../values/block-rfq-record.ts';
import type { AccountId, Currency, InstrumentName, TradeId } from '../../../values/ids.ts';
import type { Instant } from '../../../values/instant.ts';
import type { Side } from '../../../values/instrument.ts';
import type {} from '../rfq.ts';

/** The share of one row that the taker allocates to another account. */
export interface AllocatedShare {
  readonly quantity: Quantity;
  readonly fee: Money;
  readonly userId?: number | undefined;
  readonly client?: ClientLink | undefined;
}

export interface BlockRow {
  readonly tradeId: TradeId;
  readonly tradeSeq: number;
  readonly instrument: InstrumentName;
  /** The taker's. */
  readonly side: Side;
  readonly quantity: Quantity;
  readonly price: Price;
  readonly takerFee: Money;
  readonly makerFee: Money;
  readonly feeCurrency: Currency;
  readonly markPrice?: Price | undefined;
  readonly indexPrice?: Price | undefined;
  readonly isHedge: boolean;
  /** Empty if the RFQ has no allocations; otherwise they add up to the row. */
  readonly allocations: readonly AllocatedShare[];
}

/** One quote's fill in a block trade. */
export interface QuoteFill {
  readonly quoteId: string;
  readonly units: number;
  readonly mmpGroup?: string | undefined;
}

export interface BlockTrade {
  readonly number: number;
  /** `BLOCK-` and the number. */
  readonly id: string;
  /** {@link Rfq.number}. */
  readonly rfq: number;
  readonly comboId?: string | undefined;
  readonly currency: Currency;
  readonly at: Instant;
  readonly taker: AccountId;
  readonly maker: AccountId;
  readonly makerAlias: string;
  readonly takerRfqId: string;
  readonly makerRfqId: string;
  /** Whether the maker's identity is disclosed to the taker. */
  readonly disclosed: boolean;
  /** The taker's. */
  readonly side: Side;
  /** Price of the structure. */
  readonly price: Price;
  readonly quantity: Quantity;
  readonly quotes: readonly QuoteFill[];
  readonly rows: readonly BlockRow[];
}
