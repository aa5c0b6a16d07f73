// The order methods for gateways: one desk per account, behind the gate that children pass.
import type { RfqDesk } from '../../ports/block-rfq.ts';
import type { MarketReads } from '../../ports/market-reads.ts';
import type { TradingDesk } from '../../ports/trading-desk.ts';
import type { AccountId } from '../../values/ids.ts';
import type { MmpOperations } from '../interface/mmp-operations.ts';

export interface OrderOperations {
  /** `undefined` if no orders can be sent for the account: it is a dummy, or unknown. */
  forAccount(account: AccountId): TradingDesk | undefined;
  /** `undefined` if the account's venue has no Block RFQs; absent if no venue has. */
  rfqsFor?(account: AccountId): RfqDesk | undefined;
  /** One per venue with Block RFQs. */
  rfqDesks?(): readonly RfqDesk[];
  /** Absent: no account is protected. */
  readonly mmp?: MmpOperations | undefined;
  /** One per venue. */
  markets(): readonly MarketReads[];
}
