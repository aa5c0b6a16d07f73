// What methods may do with the connection they come over.
import type { OrderRecord } from '../../../core/order/order-record.ts';
import type { Reply } from '../../../ports/trading-desk.ts';
import type { AccountId } from '../../../values/ids.ts';

/** `connection`: this one. `account`: this one and every later one of the account. */
export type DisconnectScope = 'connection' | 'account';

export interface Subscribing {
  readonly channels: readonly string[];
  /** Whose orders and money the `user.*` channels tell of; absent: no such channel is granted. */
  readonly account?: AccountId | undefined;
  /** Number of the last happening that was heard: what came behind it is told first. */
  readonly after?: number | undefined;
  /** Comes back in each notification. */
  readonly label?: string | undefined;
}

export interface RidSession {
  /** Answers with the channels that are granted. */
  subscribe(wish: Subscribing): Reply<readonly string[]>;
  /** Answers with the channels that had been there. */
  unsubscribe(channels: readonly string[], account?: AccountId): readonly string[];
  unsubscribeAll(): void;
  /** 0 ends it. */
  setHeartbeat(intervalSec: number): void;
  /** The client answered a test request, or tested unasked. */
  tested(): void;
  /** The order came about by a request over this connection. */
  created(order: OrderRecord): void;
  cancelOnDisconnect(account: AccountId, scope: DisconnectScope, enabled: boolean): void;
  cancelsOnDisconnect(account: AccountId, scope: DisconnectScope): boolean;
}
