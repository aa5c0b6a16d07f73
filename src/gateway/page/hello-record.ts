// What the page learns about its session: who it belongs to, what it may do, and the second secret.
import type { Scope } from '../../ports/key-records.ts';

/** What is traded with: play money, money of a test network, or real money. */
export interface Traded {
  readonly money: 'paper' | 'test' | 'live';
  /** Venues whose money it is; none of play money. */
  readonly venues: readonly string[];
}

export interface Hello {
  /** Sent with every further request; kept in memory only. */
  readonly secret: string;
  readonly version: string;
  /** Nothing can be changed from the page of this deployment. */
  readonly isReadOnly: boolean;
  /** That of the configuration, whether its venues are connected or not. */
  readonly traded: Traded;
  /** Every venue is the built-in paper exchange: a press in the page confirms what takes a code elsewhere. */
  readonly confirmsByClick: boolean;
  readonly uid: string;
  readonly nickname: string;
  readonly keyId: string;
  /** Whom the proxy named that signed them in; absent: the session was opened by a code. */
  readonly person?: string;
  readonly scopes: readonly Scope[];
  readonly accounts: readonly {
    readonly id: string;
    readonly name: string;
    readonly exchange: string;
    /** It only mirrors others: it has no orders and no positions. */
    readonly isDummy?: boolean;
  }[];
  /** When the session ends at the latest, and when without further use; Unix milliseconds. */
  readonly endsAt: string;
  readonly until: string;
  /** The gateway's time, Unix milliseconds. */
  readonly timestamp: string;
}
