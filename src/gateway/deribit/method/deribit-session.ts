// The connection as seen by the methods called over it.
import type { OrderRecord } from '../../../core/order/order-record.ts';
import type { Reply } from '../../../ports/trading-desk.ts';
import type { AccountId } from '../../../values/ids.ts';
import type { DisconnectScope } from '../../order-api/session/session.ts';
import type { Login } from './deribit-login.ts';

export interface DeribitSession {
  /** Called when the client has logged in here, or called with a token of the login. */
  loggedIn(login: Login): void;
  /** Closes the connection; cancel on disconnect does not run. */
  logOut(wish: { readonly invalidatesToken: boolean }): void;
  /** Returns the channels that are subscribed to now; unknown and forbidden ones are left out. */
  subscribe(wish: {
    readonly channels: readonly string[];
    /** Opens private channels too; absent: only public ones. */
    readonly login?: Login | undefined;
    readonly label?: string | undefined;
  }): Reply<readonly string[]>;
  /** Returns the channels that had been subscribed to. */
  unsubscribe(channels: readonly string[]): readonly string[];
  unsubscribeAll(): void;
  /** 0 turns heartbeats off. */
  setHeartbeat(intervalSec: number): void;
  /** Called when the client sent `public/test`. */
  tested(): void;
  /** Called when a request over this connection created an order. */
  created(order: OrderRecord): void;
  cancelOnDisconnect(account: AccountId, scope: DisconnectScope, enabled: boolean): void;
  cancelsOnDisconnect(account: AccountId, scope: DisconnectScope): boolean;
}
