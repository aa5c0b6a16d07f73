// API keys and what each may do. The gateway does not care where keys come from.

import { type Rejection, reject } from '../../core/rejection.ts';
import type { Actor } from '../../core/terms/spec.ts';
import type { Scope } from '../../ports/key-records.ts';
import type { AccountId } from '../../values/ids.ts';
import type { Instant } from '../../values/instant.ts';

export interface ApiKey {
  readonly id: string;
  /** Base64. */
  readonly secret: string;
  readonly uid: string;
  readonly nickname: string;
  readonly accounts: readonly AccountId[];
  readonly scopes: readonly Scope[];
  /** Maker alias of the account. */
  readonly makerAlias?: string | undefined;
  /** Whether the signature must also cover method, path, query and body. */
  readonly bindBody?: boolean | undefined;
  /** Whether requests may come from this address; absent: from anywhere. */
  readonly admits?: ((address: string) => boolean) | undefined;
  /** SHA-256 fingerprint of the client certificate without which the key is refused, in lower case; absent: none is needed. */
  readonly certificate?: string | undefined;
  /** The key is refused from this instant on; absent: it does not expire. */
  readonly expiresAt?: Instant | undefined;
  /** Generation of the current secret; absent for keys that never rotate. */
  readonly generation?: number | undefined;
  /** The previous secret (previous generation), accepted until then. */
  readonly previous?: { readonly secret: string; readonly until: Instant } | undefined;
}

export interface KeyStore {
  /** Returns the key if it is known and in force: neither revoked nor expired. */
  find(keyId: string): ApiKey | undefined;
  /** Every key in force; absent: they cannot be listed. */
  all?(): readonly ApiKey[];
  /**
   * Calls `listener` soon after any key or secret has ceased to be in force; returns the unsubscribe function.
   */
  watch?(listener: () => void): () => void;
}

/** Whether a session signed with a secret of `key` may continue: both the key and that secret are in force. */
export function isInForce(keys: KeyStore, key: ApiKey, now: Instant): boolean {
  const current = keys.find(key.id);
  if (current === undefined) return false;
  const behind = (current.generation ?? 0) - (key.generation ?? 0);
  if (behind === 0) return true;
  return behind === 1 && current.previous !== undefined && now < current.previous.until;
}

/** The refusal of a validly signed request whose key has ended since. */
export const NO_LONGER_IN_FORCE: Rejection = reject(
  'signature',
  '',
  'the key is no longer in force',
);

export const owns = (key: ApiKey, account: string): boolean =>
  (key.accounts as readonly string[]).includes(account);

/** The actor recorded for changes made with a key. */
export const actor = ({ uid, nickname }: ApiKey): Actor => ({ uid, nickname });
