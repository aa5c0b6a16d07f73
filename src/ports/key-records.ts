// API keys as stored alongside the ledger. Secrets are stored only in sealed form: read access to the store alone does
// not allow signing.
import type { AccountId } from '../values/ids.ts';
import type { Instant } from '../values/instant.ts';

export type Scope = 'read' | 'trade' | 'blockRfq' | 'admin';

export const SCOPES = ['read', 'trade', 'blockRfq', 'admin'] as const satisfies readonly Scope[];

/** The properties of a key that never change. */
export interface KeyGrant {
  readonly id: string;
  readonly uid: string;
  readonly nickname: string;
  readonly accounts: readonly AccountId[];
  readonly scopes: readonly Scope[];
  /** The market maker's name as shown to counterparties. */
  readonly makerAlias?: string | undefined;
  /** The signature must also cover method, path, query and body. */
  readonly bindBody: boolean;
  /** Addresses and networks from which requests are accepted; empty means any. */
  readonly addresses: readonly string[];
  readonly createdAt: Instant;
  /** The key is refused from this instant on. */
  readonly expiresAt?: Instant | undefined;
}

export interface KeyRecord extends KeyGrant {
  /** How many secrets the key has had, from 1; a secret is sealed for its key and this number. */
  readonly generation: number;
  /** Empty once the key is revoked. */
  readonly sealed: string;
  /** The previous secret, while it is still accepted; it has the previous generation. */
  readonly previous?: { readonly sealed: string; readonly until: Instant } | undefined;
  readonly revokedAt?: Instant | undefined;
}

export interface Rotation {
  /** The generation to replace: of two concurrent rotations, one finds it gone. */
  readonly from: number;
  readonly sealed: string;
  /** How long the previous secret is accepted alongside the new one. */
  readonly overlapUntil: Instant;
  /**
   * A secret that stays valid alongside the new one instead of the replaced secret, which ends immediately. It is sealed
   * for the generation after `from`, and `sealed` for the next one, so that nothing signed with the replaced secret
   * remains valid.
   */
  readonly kept?: string | undefined;
}

export interface KeysRead {
  /** Increases with every change and is never reused. */
  readonly version: number;
  readonly keys: readonly KeyRecord[];
}

/** Rejects with {@link import('./ledger.ts').LedgerFailure} if the store cannot answer. */
export interface KeyRecords {
  /** `false` if the id has been used before, even by a key that was revoked. */
  add(grant: KeyGrant, sealed: string): Promise<boolean>;
  /** All keys that ever existed, by id. */
  list(): Promise<readonly KeyRecord[]>;
  /** All keys, if anything has changed since that version; 0 is before the first change. */
  changedSince(version: number): Promise<KeysRead | undefined>;
  /** `false` if the key does not exist, is revoked, or another rotation came first. */
  rotate(id: string, rotation: Rotation): Promise<boolean>;
  /** Forgets its secrets too. `false` if the key does not exist or is already revoked. */
  revoke(id: string, at: Instant): Promise<boolean>;
  close(): Promise<void>;
}
