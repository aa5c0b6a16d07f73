// The order methods as gateways see them: one desk per account, behind the gate that children pass.
import type { RfqDesk } from '../../ports/block-rfq.ts';
import type { MarketReads } from '../../ports/market-reads.ts';
import type { TradingDesk } from '../../ports/trading-desk.ts';
import type { AccountId } from '../../values/ids.ts';
import type { MmpOperations } from '../mmp/mmp-operations.ts';

export interface OrderOperations {
  /** `undefined` where no orders can be sent for the account: a dummy, or one nobody knows. */
  forAccount(account: AccountId): TradingDesk | undefined;
  /** Block RFQs of the account; `undefined` where its venue has none. Absent: nobody has any. */
  rfqsFor?(account: AccountId): RfqDesk | undefined;
  /** One per venue that has Block RFQs. */
  rfqDesks?(): readonly RfqDesk[];
  /** Absent: nobody is protected. */
  readonly mmp?: MmpOperations | undefined;
  /** One per venue. */
  markets(): readonly MarketReads[];
}
