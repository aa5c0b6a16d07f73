// Snapshots and journal records: the exchange's shapes as plain JSON, every decimal as text.

import type { Decimal } from '../values/decimal.ts';
import type { AccountEvent, ExchangeBalance, ExchangePosition } from './event.ts';
import type { ExchangeOrder, ExchangeTrade } from './order.ts';

/** `T` with its decimals as text. */
export type Plain<T> = T extends Decimal
  ? string
  : T extends string | number | boolean | undefined
    ? T
    : T extends readonly (infer E)[]
      ? readonly Plain<E>[]
      : { readonly [K in keyof T]: Plain<T[K]> };

/** One journal line: JSON through and through. */
export type JournalRecord = Plain<AccountEvent>;

export interface ExchangeSnapshot {
  readonly version: 1;
  /** Ascending by rank. */
  readonly openOrders: readonly Plain<ExchangeOrder>[];
  /** Oldest first. */
  readonly closedOrders: readonly Plain<ExchangeOrder>[];
  readonly trades: readonly Plain<ExchangeTrade>[];
  readonly positions: readonly Plain<ExchangePosition>[];
  readonly balances: readonly Plain<ExchangeBalance>[];
}

/** The journal line of an account event. */
export declare function journalRecord(event: AccountEvent): JournalRecord;
