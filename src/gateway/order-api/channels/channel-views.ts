// What the channels of accounts and of Block RFQs publish, as a wire shows it.
import type { OrderRecord, TradeRecord } from '../../../core/order/order-record.ts';
import type { MmpFrozen } from '../../../engine/interface/mmp-operations.ts';
import type { Reply, TradingDesk } from '../../../ports/trading-desk.ts';
import type { OpenPosition } from '../../../values/account-report.ts';
import type { BlockTrade, RfqQuoteRecord, RfqRecord } from '../../../values/block-rfq-record.ts';
import type { AccountId, Currency, InstrumentName } from '../../../values/ids.ts';
import { positionView, summaryView } from '../account/account-view.ts';
import { tapeView } from '../block-rfq/block-trade-view.ts';
import { quoteView } from '../block-rfq/rfq-quote-view.ts';
import { rfqView } from '../block-rfq/rfq-view.ts';
import { answered } from '../method.ts';
import { frozenView } from '../mmp/mmp-view.ts';
import { orderView } from '../orders/order-view.ts';
import { tradeView } from '../trades/trade-view.ts';

/** What happened in one instrument; positions only if it was traded. */
export interface InstrumentChanges {
  readonly instrument: InstrumentName;
  readonly orders: readonly OrderRecord[];
  readonly trades: readonly TradeRecord[];
  readonly positions: readonly OpenPosition[];
}

export interface AccountViews {
  readonly order: (order: OrderRecord) => unknown;
  readonly trade: (trade: TradeRecord) => unknown;
  readonly changes: (desk: TradingDesk, changes: InstrumentChanges) => unknown;
  /** Reads the account in one currency. */
  readonly portfolio: (
    of: { readonly account: AccountId; readonly desk: TradingDesk },
    currency: Currency,
  ) => Promise<Reply<unknown>>;
  readonly mmpTrip: (trip: MmpFrozen) => unknown;
}

export interface RfqViews {
  readonly rfq: (rfq: RfqRecord) => unknown;
  readonly quote: (quote: RfqQuoteRecord) => unknown;
  /** On the public tape. */
  readonly blockTrade: (trade: BlockTrade) => unknown;
  /** Whether what is open, and the latest trades, are published first. */
  readonly beginsWithOpen: boolean;
}

export type ChannelViews = AccountViews & RfqViews;

export const OWN_VIEWS: ChannelViews = {
  order: orderView,
  trade: tradeView,
  changes: (_, { instrument, orders, trades, positions }) => ({
    instrumentName: instrument,
    orders: orders.map(orderView),
    trades: trades.map(tradeView),
    positions: positions.map(positionView),
  }),
  portfolio: ({ account, desk }, currency) =>
    answered(desk.summary(account, currency), summaryView),
  mmpTrip: frozenView,
  rfq: rfqView,
  quote: quoteView,
  blockTrade: tapeView,
  beginsWithOpen: true,
};
