// The connection of a gateway to one engine of its deployment: calls and subscriptions as text. Calls begin at the engine
// in the order in which they were made, and notices arrive in the order in which they were sent.
import type { Scope } from '../key-records.ts';
import type { EngineCall } from './engine-peers.ts';

/** On whose behalf a gateway calls. */
export interface Asker {
  /** As chosen by the client; absent where its interface has none. */
  readonly rid?: string | undefined;
  /** The operation that the client requested. */
  readonly method: string;
  readonly uid: string;
  readonly scopes: readonly Scope[];
}

/** `change`: an order or another change; `urgent`: a cancel or a halt. Each has places that the lanes before it cannot take. */
export type CallLane = 'read' | 'change' | 'urgent';

export interface LineCall extends EngineCall {
  /** Default: the gateway itself, for example for a read that needs no key. */
  readonly by?: Asker | undefined;
  /** Default: a read. */
  readonly lane?: CallLane | undefined;
}

export interface EngineLine {
  /** False: calls are not made at the moment. */
  readonly isConnected: boolean;
  /**
   * Resolves with the answer as text. Rejects with `PeerUnreached` if the call was not made, also because too many are
   * under way, and with `PeerUnanswered` if its answer did not come.
   */
  call(call: LineCall): Promise<string>;
  /**
   * Notices of the engine until the returned function is called or the connection is lost. Without a connection there
   * are none.
   */
  follow(call: LineCall, listener: (text: string) => void): () => void;
  /** Calls `listener` with each connection that is made, at once if there is one; what was followed before has ended. */
  onConnected(listener: () => void): void;
  close(): Promise<void>;
}

/** The engine's end of lines. */
export interface ServeLine {
  /** Never rejects: a failure is an answer too. */
  call(call: LineCall): Promise<string>;
  follow(call: LineCall, notify: (text: string) => void): () => void;
}
