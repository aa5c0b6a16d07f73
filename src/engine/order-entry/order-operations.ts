// The order methods of every account over all venues, behind the gate that children pass. Gateways reach them through
// `src/engine/interface/`.
import type { RfqDesk, RfqReads } from '../../ports/block-rfq.ts';
import type { TradingDesk } from '../../ports/trading-desk.ts';
import type { Venue } from '../../ports/venue.ts';
import type { AccountId, VenueName } from '../../values/ids.ts';
import type { MmpOperations } from '../interface/mmp-operations.ts';

/** What is read from a venue for all its accounts; `rfqs` is absent if it has no Block RFQs. */
export interface OpenVenue extends Pick<Venue, 'name' | 'market' | 'subscribe'> {
  readonly rfqs?: RfqReads | undefined;
}

export interface OrderOperations {
  /** Accounts that can send orders, each with the name of its venue. */
  accounts(): readonly (readonly [account: AccountId, venue: VenueName])[];
  venues(): readonly OpenVenue[];
  /** `undefined` if no orders can be sent for the account: it is a dummy, or unknown. */
  forAccount(account: AccountId): TradingDesk | undefined;
  /** `undefined` if the account's venue has no Block RFQs; absent if no venue has. */
  rfqsFor?(account: AccountId): RfqDesk | undefined;
  /** Absent: no account is protected. */
  readonly mmp?: MmpOperations | undefined;
}
