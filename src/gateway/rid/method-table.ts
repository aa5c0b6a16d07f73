// Every method there is, by its name.
import { ACCOUNT_QUERIES } from './account-queries.ts';
import { CANCEL_METHODS } from './cancel-methods.ts';
import { MARKET_METHODS } from './market-methods.ts';
import type { Method } from './method.ts';
import { MMP_METHODS } from './mmp-methods.ts';
import { ORDER_METHODS } from './order-methods.ts';
import { ORDER_QUERIES } from './order-queries.ts';
import { RFQ_METHODS } from './rfq-methods.ts';
import { RFQ_QUERIES } from './rfq-queries.ts';
import { RFQ_QUOTE_METHODS } from './rfq-quote-methods.ts';
import { SESSION_METHODS } from './session-methods.ts';
import { TRADE_QUERIES } from './trade-queries.ts';
import { TRIGGER_QUERIES } from './trigger-history.ts';

const TABLE = [
  ...ORDER_METHODS,
  ...CANCEL_METHODS,
  ...ORDER_QUERIES,
  ...TRIGGER_QUERIES,
  ...TRADE_QUERIES,
  ...ACCOUNT_QUERIES,
  ...MARKET_METHODS,
  ...RFQ_METHODS,
  ...RFQ_QUOTE_METHODS,
  ...RFQ_QUERIES,
  ...MMP_METHODS,
  ...SESSION_METHODS,
] as const satisfies readonly Method[];

/** One of them, with its types. */
export type AnyMethod = (typeof TABLE)[number];

export const METHODS: ReadonlyMap<string, Method> = new Map(
  TABLE.map((method) => [method.name, method]),
);
