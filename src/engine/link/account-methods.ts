// The methods of an account that are passed to the daemon that owns it, by the desk that has them, and what becomes of a
// call that the owner does not answer. All of them begin with the account, or with a record that names it.
import type { RfqDesk } from '../../ports/block-rfq.ts';
import type { ComboDesk } from '../../ports/combo-desk.ts';
import type { MarginReads, TradingDesk } from '../../ports/trading-desk.ts';
import type { AccountId } from '../../values/ids.ts';
import type { MmpOperations } from '../interface/mmp-operations.ts';

/**
 * `trade`: made by the owner alone. `set`: made here if the owner cannot be reached, and never twice. `cancel`, `read`:
 * made here if the owner does not answer.
 */
export type Passing = 'trade' | 'set' | 'cancel' | 'read';

interface Desks {
  readonly orders: TradingDesk;
  readonly rfqs: RfqDesk;
  readonly combos: ComboDesk;
  readonly margins: MarginReads;
  readonly mmp: MmpOperations;
}

export type DeskName = keyof Desks;

export const ACCOUNT_METHODS = {
  orders: {
    place: 'trade',
    edit: 'trade',
    cancel: 'cancel',
    cancelAll: 'cancel',
    order: 'read',
    ordersLabelled: 'read',
    openOrders: 'read',
    orderHistory: 'read',
    trades: 'read',
    positions: 'read',
    summary: 'read',
    transactions: 'read',
  },
  rfqs: {
    create: 'trade',
    accept: 'trade',
    quote: 'trade',
    editQuote: 'trade',
    cancelRfq: 'cancel',
    cancelTrigger: 'cancel',
    cancelQuote: 'cancel',
    cancelQuotes: 'cancel',
    rfqs: 'read',
    quotes: 'read',
    makers: 'read',
    blockTrades: 'read',
  },
  combos: { create: 'set', legPrices: 'read' },
  margins: { needs: 'read', ofOrders: 'read' },
  // A second request would clear a freeze that came after the first.
  mmp: { configure: 'set', reset: 'set', configs: 'read', frozen: 'read' },
} as const satisfies {
  readonly [N in DeskName]: { readonly [M in keyof Desks[N]]?: Passing };
};

/** The account that a call is about; `undefined` for arguments that name none. */
export function accountIn([first]: readonly unknown[]): AccountId | undefined {
  if (typeof first === 'string') return first as AccountId;
  if (typeof first !== 'object' || first === null || !('account' in first)) return undefined;
  return typeof first.account === 'string' ? (first.account as AccountId) : undefined;
}
