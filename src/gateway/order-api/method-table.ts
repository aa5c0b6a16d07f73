// All order methods by name.
import { ACCOUNT_QUERIES } from './account/account-queries.ts';
import { MARGIN_QUERIES } from './account/margin-queries.ts';
import { TRANSACTION_QUERIES } from './account/transaction-queries.ts';
import { RFQ_METHODS } from './block-rfq/rfq-methods.ts';
import { RFQ_QUERIES } from './block-rfq/rfq-queries.ts';
import { RFQ_QUOTE_METHODS } from './block-rfq/rfq-quote-methods.ts';
import { COMBO_METHODS } from './combos/combo-methods.ts';
import { MARKET_METHODS } from './market/market-methods.ts';
import type { Method } from './method.ts';
import { MMP_METHODS } from './mmp/mmp-methods.ts';
import { CANCEL_METHODS } from './orders/cancel-methods.ts';
import { ORDER_METHODS } from './orders/order-methods.ts';
import { ORDER_QUERIES } from './orders/order-queries.ts';
import { TRIGGER_QUERIES } from './orders/trigger-history.ts';
import { SESSION_METHODS } from './session/session-methods.ts';
import { TRADE_QUERIES } from './trades/trade-queries.ts';

const TABLE = [
  ...ORDER_METHODS,
  ...CANCEL_METHODS,
  ...ORDER_QUERIES,
  ...TRIGGER_QUERIES,
  ...TRADE_QUERIES,
  ...ACCOUNT_QUERIES,
  ...MARGIN_QUERIES,
  ...TRANSACTION_QUERIES,
  ...MARKET_METHODS,
  ...COMBO_METHODS,
  ...RFQ_METHODS,
  ...RFQ_QUOTE_METHODS,
  ...RFQ_QUERIES,
  ...MMP_METHODS,
  ...SESSION_METHODS,
] as const satisfies readonly Method[];

/** Any of the methods, with its types. */
export type AnyMethod = (typeof TABLE)[number];

export const METHODS: ReadonlyMap<string, Method> = new Map(
  TABLE.map((method) => [method.name, method]),
);
