// What the venues of a deployment have and its ledger does not, as gateways and commands read it.
import type { AccountId, PortfolioId } from '../../values/ids.ts';

/** What is missing of one leg of a portfolio. Amounts are decimals in the unit of the instrument. */
export interface UnaccountedLeg {
  readonly portfolio: PortfolioId;
  /** False: the portfolio was submitted later than the ledger was stored. */
  readonly isInLedger: boolean;
  /** Of orders and their trades; the trades of a Block RFQ have none. */
  readonly leg?: number | undefined;
  readonly instrument: string;
  readonly side: 'buy' | 'sell';
  /** Of orders that were open, what was not filled. */
  readonly open: string;
  readonly orders: number;
  readonly filled: string;
  readonly trades: number;
  /** Epoch milliseconds, of its trades. */
  readonly firstAt?: number | undefined;
  readonly lastAt?: number | undefined;
}

/** What was found for an account when the daemon started. */
export interface UnaccountedAccount {
  readonly account: AccountId;
  /** Trades from here on were compared; epoch milliseconds. */
  readonly since: number;
  readonly checkedAt: number;
  readonly legs: readonly UnaccountedLeg[];
}

/** Whether orders of portfolios that the ledger does not know stay open. */
export type OrdersChoice = 'cancel' | 'leave';

export interface UnaccountedFound {
  readonly orders: OrdersChoice;
  /** Those that were ever compared. */
  readonly accounts: readonly UnaccountedAccount[];
}

/** Rejects with the ledger's error while it is unavailable. */
export type ReadUnaccounted = (accounts: readonly AccountId[]) => Promise<UnaccountedFound>;
