// The order methods of every account over all venues, behind the gate that children pass. Gateways reach them through
// `src/engine/interface/`.
import type { RfqDesk, RfqReads } from '../../ports/block-rfq.ts';
import type { ComboDesk, ComboReads } from '../../ports/combo-desk.ts';
import type { MarginReads, TradingDesk } from '../../ports/trading-desk.ts';
import type { Venue } from '../../ports/venue.ts';
import type { AccountId, VenueName } from '../../values/ids.ts';
import type { MmpOperations } from '../interface/mmp-operations.ts';

/** What is read from a venue for all its accounts; `rfqs` is absent if it has no Block RFQs. */
export interface OpenVenue extends Pick<Venue, 'name' | 'market' | 'subscribe'> {
  readonly rfqs?: Pick<RfqReads, 'tape' | 'aliasOf' | 'listen'> | undefined;
  /** Absent if it has no combos. */
  readonly combos?: ComboReads | undefined;
  /** Absent where portfolios are not submitted. */
  readonly features?: Venue['features'] | undefined;
}

export interface OrderOperations {
  /** Accounts that can send orders, each with the name of its venue. */
  accounts(): readonly (readonly [account: AccountId, venue: VenueName])[];
  venues(): readonly OpenVenue[];
  /** `undefined` if no orders can be sent for the account: it is a dummy, or unknown. */
  forAccount(account: AccountId): TradingDesk | undefined;
  /** `undefined` if the account's venue has no Block RFQs; absent if no venue has. */
  rfqsFor?(account: AccountId): RfqDesk | undefined;
  /** `undefined` if the account sends no orders, or its venue has no combos; absent if no venue has. */
  combosFor?(account: AccountId): ComboDesk | undefined;
  /** `undefined` if the account sends no orders, or its venue does not say what they need; absent if no venue does. */
  marginsFor?(account: AccountId): MarginReads | undefined;
  /** Absent: no account is protected. */
  readonly mmp?: MmpOperations | undefined;
}
