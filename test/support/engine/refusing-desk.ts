// Order methods for test venues that have slices only: every request and query is refused.
import type { Reply, TradingDesk } from '../../../src/ports/trading-desk.ts';

const NO: Reply<never> = { kind: 'refused', code: -32601, message: 'Method not found' };
const refuse = (): Promise<Reply<never>> => Promise.resolve(NO);
const nothing = (): Promise<undefined> => Promise.resolve(undefined);

export const REFUSING_DESK: TradingDesk = {
  enter: refuse,
  edit: refuse,
  cancel: refuse,
  cancelAll: refuse,
  order: refuse,
  ordersLabelled: refuse,
  openOrdersOf: refuse,
  orderHistory: refuse,
  trades: refuse,
  positionsOf: refuse,
  summaryOf: refuse,
  listen: () => () => undefined,
  listed: () => [],
  instrument: () => undefined,
  ticker: nothing,
  book: nothing,
  index: nothing,
  indexNames: () => [],
  follow: () => () => undefined,
};
