// The order methods as gateways see them: one desk per account, behind the gate that children pass.
import type { MarketReads } from '../ports/market-reads.ts';
import type { TradingDesk } from '../ports/trading-desk.ts';
import type { AccountId } from '../values/ids.ts';

export interface OrderOperations {
  /** `undefined` where no orders can be sent for the account: a dummy, or one nobody knows. */
  forAccount(account: AccountId): TradingDesk | undefined;
  /** One per venue. */
  markets(): readonly MarketReads[];
}
