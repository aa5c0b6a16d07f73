// A Block RFQ, its quotes and its trades as one account may see them: with its own ids, in decimals, and
// without what its role must not see.
import type { Money, Price, Quantity, Ratio } from '../../../values/amounts.ts';
import type { AccountId, Currency, InstrumentName, TradeId } from '../../../values/ids.ts';
import type { Instant } from '../../../values/instant.ts';
import type { Side } from '../../../values/instrument.ts';
import type { AllocatedShare } from '../blocks/block-trade.ts';
import type { ExecutionInstruction, QuoteEndReason, RfqQuoteStatus } from '../maker-quote.ts';
import type { RfqClient, RfqClosedReason, RfqStatus } from '../rfq.ts';

export type RfqRole = 'taker' | 'maker';
/** `traded`: shown to a maker if another maker filled the RFQ. */
export type ShownRfqStatus = RfqStatus | 'traded';

export interface RfqLegView {
  readonly instrument: InstrumentName;
  readonly ratio: Ratio;
  readonly side: Side;
}

export interface PricedLegView extends RfqLegView {
  readonly price: Price;
}

export interface RfqHedgeView {
  readonly instrument: InstrumentName;
  readonly quantity: Quantity;
  readonly side: Side;
  readonly price: Price;
}

export interface RfqLevelView {
  readonly quantity: Quantity;
  readonly executionInstruction: ExecutionInstruction;
  readonly price: Price;
  readonly makers: readonly string[];
  readonly lastUpdatedAt: Instant;
  readonly expiresAt?: Instant | undefined;
}

export interface RfqAllocationView {
  readonly quantity: Quantity;
  readonly userId?: number | undefined;
  readonly client?: RfqClient | undefined;
}

export interface RfqTriggerView {
  readonly state: 'untriggered' | 'triggered' | 'cancelled';
  readonly side: Side;
  readonly price: Price;
  readonly cancelReason?: string | undefined;
}

export interface RfqFillView {
  readonly side: Side;
  readonly price: Price;
  readonly quantity: Quantity;
  readonly maker?: string | undefined;
  readonly hedgeQuantity?: Quantity | undefined;
}

export interface RfqView {
  readonly id: string;
  readonly role: RfqRole;
  readonly status: ShownRfqStatus;
  readonly closedReason?: RfqClosedReason | 'traded_away' | undefined;
  readonly currency: Currency;
  readonly quantity: Quantity;
  readonly legs: readonly RfqLegView[];
  readonly hedge?: RfqHedgeView | undefined;
  readonly comboId?: string | undefined;
  readonly createdAt: Instant;
  readonly expiresAt: Instant;
  readonly lastUpdatedAt: Instant;
  readonly makers: readonly string[];
  readonly taker?: string | undefined;
  readonly disclosed: boolean;
  readonly label?: string | undefined;
  readonly minTradeQuantity: Quantity;
  readonly bids: readonly RfqLevelView[];
  readonly asks: readonly RfqLevelView[];
  readonly allocations: readonly RfqAllocationView[];
  readonly triggers: readonly RfqTriggerView[];
  readonly fills: readonly RfqFillView[];
  readonly markPrice?: Price | undefined;
  readonly indexPrices?: Readonly<Record<string, string>> | undefined;
  readonly includedInTakerRating?: boolean | undefined;
  readonly takerRating: string;
}

export interface RfqQuoteView {
  readonly id: string;
  readonly rfqId: string;
  readonly account: AccountId;
  readonly currency: Currency;
  readonly label?: string | undefined;
  readonly quantity: Quantity;
  readonly filledQuantity: Quantity;
  readonly side: Side;
  readonly price: Price;
  readonly executionInstruction: ExecutionInstruction;
  readonly legs: readonly PricedLegView[];
  readonly hedge?: RfqHedgeView | undefined;
  readonly status: RfqQuoteStatus;
  readonly statusReason?: QuoteEndReason | undefined;
  readonly replaced: boolean;
  readonly createdAt: Instant;
  readonly lastUpdatedAt: Instant;
  readonly expiresAt?: Instant | undefined;
  readonly mmpGroup?: string | undefined;
}

export interface BlockRowView {
  readonly tradeId: TradeId;
  readonly instrument: InstrumentName;
  readonly side: Side;
  readonly quantity: Quantity;
  readonly price: Price;
  readonly fee: Money;
  readonly feeCurrency: Currency;
  readonly markPrice?: Price | undefined;
  readonly indexPrice?: Price | undefined;
  readonly liquidity: 'maker' | 'taker';
  readonly isHedge: boolean;
  readonly allocations: readonly AllocatedShare[];
}

export interface BlockTradeView {
  readonly id: string;
  readonly rfqId: string;
  readonly comboId?: string | undefined;
  readonly currency: Currency;
  readonly at: Instant;
  /** The account's own side; on the public tape the taker's. */
  readonly side: Side;
  readonly price: Price;
  readonly quantity: Quantity;
  readonly maker?: string | undefined;
  /** For the maker: the group of its quote, or of the largest if there were several. */
  readonly mmpGroup?: string | undefined;
  readonly rows: readonly BlockRowView[];
}
