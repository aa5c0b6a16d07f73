// The desks of every account over all venues, behind the gate that children pass: what makes the methods of an account at this
// daemon. Gateways reach them through `src/engine/interface/`.
import type { RfqDesk, RfqReads } from '../../ports/block-rfq.ts';
import type { ComboDesk, ComboReads } from '../../ports/combo-desk.ts';
import type { MarginReads, TradingDesk } from '../../ports/trading-desk.ts';
import type { Venue } from '../../ports/venue.ts';
import type { AccountId, VenueName } from '../../values/ids.ts';
import type { MmpOperations } from '../interface/mmp-operations.ts';
import type { AccountApi } from '../interface/order-api.ts';

/** What is read from a venue for all its accounts; `rfqs` is absent if it has no Block RFQs. */
export interface OpenVenue extends Pick<Venue, 'name' | 'market' | 'subscribe'> {
  readonly rfqs?: Pick<RfqReads, 'tape' | 'aliasOf' | 'listen'> | undefined;
  /** Of venues with combos. */
  readonly combos?: ComboReads | undefined;
  /** Only where portfolios are submitted. */
  readonly features?: Venue['features'] | undefined;
}

export interface OrderOperations {
  /** Accounts that can send orders, each with the name of its venue. */
  accounts(): readonly (readonly [account: AccountId, venue: VenueName])[];
  venues(): readonly OpenVenue[];
  /** `undefined` if no orders can be sent for the account: it is a dummy, or unknown. */
  forAccount(account: AccountId): TradingDesk | undefined;
  /** `undefined` if the account's venue has no Block RFQs. */
  rfqsFor(account: AccountId): RfqDesk | undefined;
  /** `undefined` if the account sends no orders, or its venue has no combos. */
  combosFor(account: AccountId): ComboDesk | undefined;
  /** `undefined` if the account sends no orders, or its venue does not say what they need. */
  marginsFor(account: AccountId): MarginReads | undefined;
  /** Default: no account is protected. */
  readonly mmp?: MmpOperations | undefined;
}

export type DeskName = keyof AccountApi;

const DESKS: {
  readonly [N in DeskName]: (
    orders: OrderOperations,
    account: AccountId,
  ) => AccountApi[N] | undefined;
} = {
  orders: (orders, account) => orders.forAccount(account),
  rfqs: (orders, account) => orders.rfqsFor(account),
  combos: (orders, account) => orders.combosFor(account),
  margins: (orders, account) => orders.marginsFor(account),
  mmp: ({ mmp }) => mmp,
};

export const isDeskName = (name: string): name is DeskName => Object.hasOwn(DESKS, name);

/** What makes the methods of the group for the account; `undefined` if the account has none of them. */
export const deskOf = <N extends DeskName>(
  orders: OrderOperations,
  name: N,
  account: AccountId,
): AccountApi[N] | undefined => DESKS[name](orders, account);
