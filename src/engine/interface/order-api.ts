// The order methods, combos and Block RFQs of accounts, behind the gate that child orders pass, and what venues publish about
// them. The engine takes requests in the order in which they were made.
import type { RfqDesk, RfqNews } from '../../ports/block-rfq.ts';
import type { Combo, ComboDesk } from '../../ports/combo-desk.ts';
import type { InstrumentReads } from '../../ports/market-reads.ts';
import type { MarginReads, TradingDesk, VenueNotice } from '../../ports/trading-desk.ts';
import type { AccountId, VenueName } from '../../values/ids.ts';
import type { MmpOperations } from './mmp-operations.ts';
import type { Unsubscribe } from './plain-interface.ts';

/** An account that cannot send orders is refused. */
export interface OrderApi extends Omit<TradingDesk, keyof InstrumentReads | 'subscribe'> {
  /** Notices may be duplicated and may arrive in any order. */
  follow(venue: VenueName, listener: (notice: VenueNotice) => void): Unsubscribe;
}

/** An account whose venue has no combos is refused. */
export interface ComboApi extends Pick<ComboDesk, 'create' | 'legPrices'> {
  /** Every combo the venue knows; none if it has no combos. Rejects if the venue does not answer. */
  list(venue: VenueName): Promise<readonly Combo[]>;
}

/** An account whose venue does not say what orders need is refused. */
export type MarginApi = MarginReads;

/** An account whose venue has no Block RFQs is refused. */
export interface RfqApi extends Omit<RfqDesk, 'aliasOf' | 'listen' | 'tape'> {
  /** The account's alias as a maker at this moment; `undefined` if it makes no quotes. */
  aliasOf(account: AccountId): Promise<string | undefined>;
  tape(venue: VenueName, of: Parameters<RfqDesk['tape']>[0]): ReturnType<RfqDesk['tape']>;
  /** Notices may be duplicated and may arrive in any order. */
  follow(venue: VenueName, listener: (news: RfqNews) => void): Unsubscribe;
}

/** The methods that are about one account: the daemon that owns it makes them, at the desk of the account. */
export interface AccountApi {
  readonly orders: Omit<OrderApi, 'follow'>;
  readonly rfqs: Omit<RfqApi, 'aliasOf' | 'follow' | 'tape'>;
  readonly combos: Omit<ComboApi, 'list'>;
  readonly margins: MarginApi;
  readonly mmp: Omit<MmpOperations, 'listen'>;
}
