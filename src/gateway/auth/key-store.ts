// API keys and what each may do. Where keys come from is not the gateway's business.

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
  /** Desk name of a market maker. */
  readonly makerAlias?: string | undefined;
  /** The signature must cover method, path, query and body too. */
  readonly bindBody?: boolean | undefined;
  /** Whether requests may come from there; absent: from anywhere. */
  readonly admits?: ((address: string) => boolean) | undefined;
  /** Counts the secrets of the key; absent where it has only ever one. */
  readonly generation?: number | undefined;
  /** The secret before, accepted until then; it has the generation before. */
  readonly previous?: { readonly secret: string; readonly until: Instant } | undefined;
}

export interface KeyStore {
  /** The key when it is known and in force: neither revoked nor expired. */
  find(keyId: string): ApiKey | undefined;
  /** `listener` is called soon after any key or secret stopped being in force; undo with the result. */
  watch?(listener: () => void): () => void;
}

/** Whether what was signed by a secret of `key` may go on: the key is in force, and that secret of it. */
export function isInForce(keys: KeyStore, key: ApiKey, now: Instant): boolean {
  const current = keys.find(key.id);
  if (current === undefined) return false;
  const behind = (current.generation ?? 0) - (key.generation ?? 0);
  if (behind === 0) return true;
  return behind === 1 && current.previous !== undefined && now < current.previous.until;
}

/** For what was signed rightly a moment ago, by a key that has ended since. */
export const NO_LONGER_IN_FORCE: Rejection = reject('signature', '', 'the key has just ended');

export const owns = (key: ApiKey, account: string): boolean =>
  (key.accounts as readonly string[]).includes(account);

/** As whom the holder of a key acts. */
export const actor = ({ uid, nickname }: ApiKey): Actor => ({ uid, nickname });
