// API keys as they are kept beside the ledger. A secret is here only in sealed form: whoever reads the
// store alone cannot sign.
import type { AccountId } from '../values/ids.ts';
import type { Instant } from '../values/instant.ts';

export type Scope = 'read' | 'trade' | 'blockRfq' | 'admin';

export const SCOPES = ['read', 'trade', 'blockRfq', 'admin'] as const satisfies readonly Scope[];

/** What does not change in the life of a key. */
export interface KeyGrant {
  readonly id: string;
  readonly uid: string;
  readonly nickname: string;
  readonly accounts: readonly AccountId[];
  readonly scopes: readonly Scope[];
  /** Desk name of a market maker. */
  readonly makerAlias?: string | undefined;
  /** The signature must cover method, path, query and body too. */
  readonly bindBody: boolean;
  /** Addresses and networks requests may come from; empty: any. */
  readonly addresses: readonly string[];
  readonly createdAt: Instant;
  /** From here on the key is refused. */
  readonly expiresAt?: Instant | undefined;
}

export interface KeyRecord extends KeyGrant {
  /** How many secrets the key has had, from 1; a secret is sealed for its key and this number. */
  readonly generation: number;
  readonly sealed: string;
  /** The secret before, as long as it is accepted too; it has the generation before. */
  readonly previous?: { readonly sealed: string; readonly until: Instant } | undefined;
  readonly revokedAt?: Instant | undefined;
}

export interface Rotation {
  /** The generation that is replaced: of two rotations at once, one finds it gone. */
  readonly from: number;
  readonly sealed: string;
  /** How long the secret before is accepted beside the new one. */
  readonly overlapUntil: Instant;
  /**
   * Stays beside the new one instead of the secret that is replaced, which ends at once; sealed for the generation
   * after `from`, and `sealed` for the one after that, so that nothing signed by what is replaced goes on.
   */
  readonly kept?: string | undefined;
}

export interface KeysRead {
  /** Rises with every change; never comes back. */
  readonly version: number;
  readonly keys: readonly KeyRecord[];
}

/** Rejects with {@link import('./ledger.ts').LedgerFailure} when the store cannot say. */
export interface KeyRecords {
  /** `false` when the id has been used, be it by a key that was revoked. */
  add(grant: KeyGrant, sealed: string): Promise<boolean>;
  /** Every key there has been, by id. */
  list(): Promise<readonly KeyRecord[]>;
  /** All of them again, when anything has changed since that version; 0 is before the first. */
  changedSince(version: number): Promise<KeysRead | undefined>;
  /** `false` when there is no such key, it is revoked, or another rotation was first. */
  rotate(id: string, rotation: Rotation): Promise<boolean>;
  /** `false` when there is no such key or it is revoked already. */
  revoke(id: string, at: Instant): Promise<boolean>;
  close(): Promise<void>;
}
