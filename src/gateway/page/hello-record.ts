// What the page learns about its session: who it belongs to, what it may do, and the second secret.
import type { Scope } from '../../ports/key-records.ts';

export interface Hello {
  /** Sent with every further request; kept in memory only. */
  readonly secret: string;
  readonly version: string;
  /** Nothing can be changed from the page of this deployment. */
  readonly isReadOnly: boolean;
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
