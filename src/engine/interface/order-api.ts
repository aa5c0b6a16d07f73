// The order methods and Block RFQs of accounts, behind the gate that child orders pass, and what venues publish about
// them. The engine takes requests in the order in which they were made.
import type { RfqDesk, RfqNews } from '../../ports/block-rfq.ts';
import type { InstrumentReads } from '../../ports/market-reads.ts';
import type { TradingDesk, VenueNotice } from '../../ports/trading-desk.ts';
import type { AccountId, VenueName } from '../../values/ids.ts';
import type { Unsubscribe } from './plain-interface.ts';

/** An account that cannot send orders is refused. */
export interface OrderApi extends Omit<TradingDesk, keyof InstrumentReads | 'subscribe'> {
  /** Notices may be duplicated and may arrive in any order. */
  follow(venue: VenueName, listener: (notice: VenueNotice) => void): Unsubscribe;
}

/** An account whose venue has no Block RFQs is refused. */
export interface RfqApi extends Omit<RfqDesk, 'aliasOf' | 'listen' | 'tape'> {
  /** The account's alias as a maker at this moment; `undefined` if it makes no quotes. */
  aliasOf(account: AccountId): Promise<string | undefined>;
  tape(venue: VenueName, of: Parameters<RfqDesk['tape']>[0]): ReturnType<RfqDesk['tape']>;
  /** Notices may be duplicated and may arrive in any order. */
  follow(venue: VenueName, listener: (news: RfqNews) => void): Unsubscribe;
}
