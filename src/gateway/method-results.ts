// What the order methods answer with, by name: the shapes of the schemas that the documents are made of.
import type { z } from 'zod';
import type { PositionView, SummaryView } from './rid/account-view.ts';
import type { InstrumentView } from './rid/instrument-view.ts';
import type { bookSchema, TickerView } from './rid/market-view.ts';
import type { OrderView } from './rid/order-schema.ts';
import type { quoteSchema } from './rid/rfq-quote-view.ts';
import type { rfqSchema } from './rid/rfq-view.ts';
import type { TradeView } from './rid/trade-view.ts';

/** An order that was placed or edited, and what it traded in the same moment. */
export interface WorkedOrder {
  readonly order: OrderView;
  readonly trades: readonly TradeView[];
}

export interface MethodResults {
  'private/buy': WorkedOrder;
  'private/sell': WorkedOrder;
  'private/edit': WorkedOrder;
  'private/edit_by_label': WorkedOrder;
  'private/cancel': OrderView;
  'private/cancel_by_label': number;
  'private/cancel_all': number;
  'private/cancel_all_by_currency': number;
  'private/cancel_all_by_instrument': number;
  'private/get_open_orders': readonly OrderView[];
  'private/get_open_orders_by_currency': readonly OrderView[];
  'private/get_open_orders_by_instrument': readonly OrderView[];
  'private/get_order_state': OrderView;
  'private/get_order_state_by_label': readonly OrderView[];
  'private/get_user_trades_by_order': readonly TradeView[];
  'private/get_positions': readonly PositionView[];
  'private/get_position': PositionView;
  'private/get_account_summary': SummaryView;
  'public/get_instruments': readonly InstrumentView[];
  'public/get_instrument': InstrumentView;
  'public/ticker': TickerView;
  'public/get_order_book': z.infer<typeof bookSchema>;
  'block/rfqs/create_rfq': z.infer<typeof rfqSchema>;
  'block/rfqs/cancel_rfq': z.infer<typeof rfqSchema>;
  'block/rfqs/create_quote': z.infer<typeof quoteSchema>;
  'block/rfqs/edit_quote': z.infer<typeof quoteSchema>;
  'block/rfqs/cancel_quote': z.infer<typeof quoteSchema>;
}

/** Of a method without a shape here it is not known. */
export type ResultOf<N extends string> = N extends keyof MethodResults ? MethodResults[N] : unknown;
