// The connection as seen by the methods called over it.
import type { OrderRecord } from '../../../core/order/order-record.ts';
import type { Reply } from '../../../ports/trading-desk.ts';
import type { AccountId } from '../../../values/ids.ts';

/** `connection`: this connection. `account`: this and every later connection of the account. */
export type DisconnectScope = 'connection' | 'account';

export interface Subscribing {
  readonly channels: readonly string[];
  /** The account of the `user.*` channels; absent: no such channel is granted. */
  readonly account?: AccountId | undefined;
  /** Number of the last change received; later changes are replayed first. */
  readonly after?: number | undefined;
  /** Echoed in each notification. */
  readonly label?: string | undefined;
}

export interface RidSession {
  /** Returns the granted channels. */
  subscribe(wish: Subscribing): Reply<readonly string[]>;
  /** Returns the channels that had been subscribed to. */
  unsubscribe(channels: readonly string[], account?: AccountId): readonly string[];
  unsubscribeAll(): void;
  /** 0 turns heartbeats off. */
  setHeartbeat(intervalSec: number): void;
  /** Called when the client answered a test request, or sent a test unprompted. */
  tested(): void;
  /** Called when a request over this connection created an order. */
  created(order: OrderRecord): void;
  cancelOnDisconnect(account: AccountId, scope: DisconnectScope, enabled: boolean): void;
  cancelsOnDisconnect(account: AccountId, scope: DisconnectScope): boolean;
}
